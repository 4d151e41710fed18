#!/bin/sh
# The help of one command; all its spellings say the same.
set -eu
tenon help help | tee one
tenon help --help | cmp - one
tenon help -h | cmp - one

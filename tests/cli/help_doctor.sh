#!/bin/sh
# The help of one command; all its spellings say the same.
set -eu
tenon help doctor | tee one
tenon doctor --help | cmp - one
tenon doctor -h | cmp - one

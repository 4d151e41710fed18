#!/bin/sh
# The help of one command; all its spellings say the same.
set -eu
tenon help version | tee one
tenon version --help | cmp - one
tenon version -h | cmp - one

#!/bin/sh
# The help of one command; all its spellings say the same.
set -eu
tenon help inspect | tee one
tenon inspect --help | cmp - one
tenon inspect -h | cmp - one

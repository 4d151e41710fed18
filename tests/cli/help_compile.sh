#!/bin/sh
# The help of one command; all its spellings say the same.
set -eu
tenon help compile | tee one
tenon compile --help | cmp - one
tenon compile -h | cmp - one

#!/bin/sh
# The help of one command; all its spellings say the same.
set -eu
tenon help link | tee one
tenon link --help | cmp - one
tenon link -h | cmp - one

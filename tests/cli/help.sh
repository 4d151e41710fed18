#!/bin/sh
# The overview; all its spellings say the same.
set -eu
tenon help | tee overview
tenon --help | cmp - overview
tenon -h | cmp - overview

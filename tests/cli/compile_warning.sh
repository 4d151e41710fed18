#!/bin/sh
# Warnings are notes, and the output is there.
set -eu
. "$TESTS/need_toolkit"
printf '__global__ void k() { int unused; }\n' >warn.cu
tenon compile --arch sm_90 warn.cu
ls warn.*

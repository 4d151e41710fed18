#!/bin/sh
# Each wrong use is one line with what would be right, and exit status 2.
use() {
    echo "$ tenon $*" >&2
    tenon "$@"
    code=$?
    [ $code -eq 2 ] || echo "exit $code" >&2
}
use
use lnk
use frobnicate
use --incremental a.cubin
use link
use link --incrementl a.cubin
use link --frobnicate=3 a.cubin
use link -o
use link --arch
use link --arch= a.cubin
use link --lto=yes a.cubin
use link --ftz maybe a.cubin
use link --isolation worke a.cubin
use link --deadline 0 a.cubin
use link --deadline 1.5 a.cubin
use link --max-registers 256 a.cubin
use link --split-compile many a.cubin
use link --lto --no-lto a.cubin
use link --ptx --emit cubin a.cubin
use link --arch sm_80 -arch=sm_90 a.cubin
use link -r --ptx a.cubin
use link --no-lto --ptx a.ltoir
use link --arch sm90x a.cubin
use link -r --kernels-used apply a.cubin
use compile
use compile a.cu
use compile --arch sm_90 a.cu b.cu
use compile --arch sm_90 -
use compile --arch sm_90 --name f -o - a.cu
use compile --arch sm_90 --emit fatbin a.cu
use inspect
use inspect --jsn a.cubin
use doctor all
use version 3
use help frobnicate
use help link compile

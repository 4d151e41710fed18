#!/bin/sh
# Colours only on a terminal, and not with NO_COLOR.
command -v script >/dev/null || { echo "skipped: there is no script(1) to make a terminal" && exit 77; }
try() {
    script -qec "$1" /dev/null | tr -d '\r' | sed 's/\x1b/ESC/g'
}
unset NO_COLOR
try 'TERM=xterm tenon lnk'
try 'TERM=xterm NO_COLOR=1 tenon lnk'
try 'TERM=dumb tenon lnk'
TERM=xterm tenon lnk 2>&1

#!/bin/sh
# Names of files go to a terminal: none can move its cursor, and an error is one line.
name=$(printf 'a\033[2Jb\nc')
tenon inspect "$name"
echo "exit $?"

#!/bin/sh
# What is no device code, or damaged, is named; nothing is needed for that.
echo 'int main(void) { return 0; }' >main.c
printf '\177ELF\002\001' >short.o
: >empty
for file in main.c short.o empty .; do
    tenon inspect $file
    echo "exit $?"
done

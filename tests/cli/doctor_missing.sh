#!/bin/sh
# A library that is forced and is not there: no other takes its place, and doctor ends with 1.
TENON_NVJITLINK=/nowhere/libnvJitLink.so.13 TENON_NVRTC=/nowhere/libnvrtc.so.13 tenon doctor >said
echo "exit $?"
grep '^nvJitLink' said
grep '^NVRTC' said
grep -c '/nowhere/libnvJitLink.so.13' said

#!/bin/sh
# All spellings.
tenon version
tenon --version
tenon -V
tenon version --json

#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin unit.cu
python3 "$CASE/damage.py" unit.cubin dmg

# Names of the sections that have no bytes in the file: an offset beyond its end does not matter there.
python3 - unit.cubin >nobits <<'END'
import struct
import sys
data = open(sys.argv[1], "rb").read()
table, = struct.unpack_from("<Q", data, 0x28)
for i in range(struct.unpack_from("<H", data, 0x3C)[0]):
    kind, = struct.unpack_from("<I", data, table + 64 * i + 4)
    size, = struct.unpack_from("<Q", data, table + 64 * i + 32)
    # NOBITS, and the vendor's own kinds for global, local and shared memory without contents.
    if size == 0 or kind in (8, 0x70000007, 0x70000009, 0x7000000A):
        print("section_%02d_offset_far.cubin" % i)
END

must_be_refused() { # FILE
    case $1 in
    cut_* | zeros.* | text.* | machine_x86.* | class_32.* | shoff_* | shnum_huge.* | shentsize_small.* | \
        shstrndx_beyond.* | section_*_size_huge.*) return 0 ;;
    section_*_offset_far.*) ! grep -qx "$1" nobits ;;
    *) return 1 ;;
    esac
}

# Links one damaged file: done or refused by name, within 10 s, and a result has its kernel.
one() { # FILE
    local name=$1 code=0
    rm -f out.cubin
    timeout 10 tenon link -arch sm_90 -o out.cubin "dmg/$name" >said 2>&1 || code=$?
    case $code in
    0)
        if must_be_refused "$name"; then fail "$name was linked"; fi
        shows out.cubin '^    lookup: ' || fail "$name lost its kernel"
        ;;
    1)
        head -n 1 said | grep -qF "$name" || { cat said && fail "$name is not named"; }
        [ ! -e out.cubin ] || fail "$name left an output"
        ;;
    *) cat said && fail "$name: exit $code" ;;
    esac
    code=0
    timeout 10 tenon inspect "dmg/$name" >said 2>&1 || code=$?
    [ "$code" -le 1 ] || fail "inspect $name: exit $code"
}
group() { # PATTERN
    local file count=0
    for file in dmg/$1.cubin; do
        one "$(basename "$file")"
        count=$((count + 1))
    done
    [ "$count" -gt 0 ] || fail "no file is called $1"
}
for pattern in 'cut_*' zeros text 'sh*' machine_x86 class_32 'section_*_size_huge*' 'section_*_offset_far*' \
    'section_*_link_far*' 'section_*_name_far*' 'flip_*'; do
    variant "$pattern" group "$pattern"
done

afterwards() {
    passes tenon link -arch sm_90 -o out.cubin unit.cubin
    is_final out.cubin lookup
}
variant 'the undamaged file' afterwards
# All in one process: tests/cases/api_test.c
finish

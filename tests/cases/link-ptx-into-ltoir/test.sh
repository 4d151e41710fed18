#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile ltoir top.cu near.cu far.cu
compile ptx far.cu
compile cubin far.cu

# Refused before the library is asked for anything, so whatever its version.
refused() { # FAR
    local option
    for option in -r --no-cache; do
        fails part.ltoir "'$1'" 'only LTO-IR' -- \
            tenon link "$option" --lto --emit ltoir -arch sm_90 -o part.ltoir top.ltoir near.ltoir "$1"
        fails part.ltoir "'$1'" 'only LTO-IR' -- \
            tenon link "$option" --lto -arch sm_90 -o part.ltoir top.ltoir near.ltoir "$1"
    done
}
variant '1. PTX' refused far.ptx
variant '1. cubin' refused far.cubin

to_cubin() { # FAR
    passes tenon link --lto -arch sm_90 -o out.cubin top.ltoir near.ltoir "$1"
    is_final out.cubin force
}
variant '2. the same with PTX to a cubin' to_cubin far.ptx
variant '2. the same with a cubin to a cubin' to_cubin far.cubin

in_steps() {
    passes tenon link -r --lto -arch sm_90 -o part.ltoir top.ltoir near.ltoir
    has part.ltoir kind ltoir
    passes tenon link --lto -arch sm_90 -o out.cubin part.ltoir far.ltoir
    is_final out.cubin force
}

undefined() {
    fails all.ltoir 'far_term(float)' _Z8far_termf top.ltoir -- \
        tenon link --lto -arch sm_90 -o all.ltoir top.ltoir near.ltoir
}

too_old() { # -r or nothing
    local version path
    tenon doctor --json >doctor.json || true
    version=$(python3 "$cases/show.py" nvjitlink <doctor.json)
    path=$(python3 "$cases/show.py" nvjitlink path <doctor.json)
    fails part.ltoir 13.3 "${version:-older than}" libnvJitLink.so -- \
        tenon link "$@" --lto -arch sm_90 -o part.ltoir top.ltoir near.ltoir far.ltoir
    # It is the library that doctor names, though links may spell its path otherwise.
    [ "$(sed 's/.* in //' said.error)" -ef "$path" ] || fail "the path is not that of $path"
}
if nvjitlink_at_least 13.3; then
    variant '3. a partial, then the rest' in_steps
    variant '4. a whole LTO-IR result with a symbol missing' undefined
else
    variant '5. a library that is too old, -r' too_old -r
    variant '5. a library that is too old' too_old
fi
finish

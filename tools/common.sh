# Sourced by the scripts of this tree: where it is, where CUDA is, and how progress is told.
# shellcheck shell=bash disable=SC2034 # its variables are used by those who source it

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wheels=${TENON_WHEELS:-${XDG_CACHE_HOME:-$HOME/.cache}/tenon-wheels}
started=$SECONDS

die() {
    echo "${0##*/}: error: $*" >&2
    exit 1
}

elapsed() { # SINCE
    printf '%d:%02d' $(((SECONDS - $1) / 60)) $(((SECONDS - $1) % 60))
}

# Prints the first file below a folder that is called NAME, or NAME and a version.
library_below() { # FOLDER NAME
    [ -d "$1" ] || return 0
    find -L "$1" -name "$2*" -not -path '*/stubs/*' 2>/dev/null | sort | head -n 1
}

# Prints the folder of a complete toolkit, one with nvcc and NVRTC; nothing if there is none.
find_toolkit() {
    local nvcc folder
    nvcc=$(command -v nvcc || true)
    for folder in "${TENON_CUDA_PATH:-}" "${CUDA_HOME:-}" "${CUDA_PATH:-}" \
        "${nvcc:+$(dirname "$(dirname "$(readlink -f "${nvcc:-/}")")")}" /usr/local/cuda /opt/cuda \
        "$wheels"/venv/lib/python3*/site-packages/nvidia/cu13; do
        if [ -n "$folder" ] && [ -x "$folder/bin/nvcc" ] &&
            [ -n "$(library_below "$folder/lib64" libnvrtc.so)$(library_below "$folder/lib" libnvrtc.so)" ]; then
            echo "$folder"
            return
        fi
    done
}

# Prints the libnvJitLink of one of the versions that tools/toolkit-wheels fetches.
nvjitlink_version() { # VERSION, such as 13.5
    library_below "$wheels/nvjitlink-$1" libnvJitLink.so
}

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests the folder of links that tileir-nvcc creates: its contents, simultaneous first calls, repair, and each error.
set -uo pipefail
root=${TEST_SRCDIR:-$PWD}/${TEST_WORKSPACE:-}
work=${TEST_TMPDIR:-$(mktemp -d)}
unset CUDA_ROOT CUDA_HOME CUDA_PATH TILEIR_NVCC TILEIRAS
export HOME=$work/home XDG_CACHE_HOME="$work/a cache" PATH=/usr/bin:/bin
mkdir -p "$HOME"

# An installation, and a toolkit whose nvcc prints its arguments and the compiler of its tile kernels.
mkdir -p "$work/prefix/bin"
cp "$root/tools/tileir-nvcc/tileir-nvcc.sh" "$work/prefix/bin/tileir-nvcc"
cp "$root/tools/tileir-config/tileir-config.sh" "$work/prefix/bin/tileir-config"
printf '#!/bin/sh\necho ours\n' >"$work/prefix/bin/tileiras"
chmod +x "$work/prefix/bin/"*
tool=$work/prefix/bin/tileir-nvcc
make_toolkit() { # FOLDER RELEASE
  mkdir -p "$1/bin/crt" "$1/include" "$1/nvvm/bin"
  cat >"$1/bin/nvcc" <<EOF
#!/bin/sh
case \$1 in
--version) echo "Cuda compilation tools, release $2, V$2.37" ;;
*) echo "nvcc $2 \$# \$*"; "\${0%/*}/tileiras"; ls "\${0%/*}/.." | tr '\n' ' ' ;;
esac
EOF
  printf '#!/bin/sh\necho theirs\n' >"$1/bin/tileiras"
  printf '#!/bin/sh\n' >"$1/bin/ptxas"
  chmod +x "$1"/bin/*s "$1/bin/nvcc"
}
make_toolkit "$work/cuda 13.5" 13.5
make_toolkit "$work/cuda-13.4" 13.4
make_toolkit "$work/cuda-13.0" 13.0

failures=0
expect() { # STATUS TEXT COMMAND...
  local status=$1 text=$2 got
  shift 2
  got=$("$@" 2>&1)
  local code=$?
  # shellcheck disable=SC2053  # a pattern
  if [ $code != "$status" ] || [[ $got != $text ]]; then
    printf 'FAILED: %s\n  status %s, expected %s\n  %s\n  expected %s\n' "$*" "$code" "$status" "$got" "$text" >&2
    failures=$((failures + 1))
  fi
}

# Without a toolkit.
if [ ! -e /usr/local/cuda/bin/nvcc ]; then
  expect 2 "error: no nvcc on the path and none in /usr/local/cuda*note: set TILEIR_NVCC*" "$tool" x.cu
fi
expect 2 "error: TILEIR_NVCC is '/nowhere/nvcc', which does not exist" env TILEIR_NVCC=/nowhere/nvcc "$tool"
expect 2 "error: CUDA_ROOT, CUDA_HOME or CUDA_PATH leads to '/nowhere/bin/nvcc', which does not exist" \
  env CUDA_HOME=/nowhere "$tool"
cp "$work/cuda 13.5/bin/nvcc" "$work/plain" && chmod -x "$work/plain"
expect 2 "error: TILEIR_NVCC is '$work/plain', which is not executable*" env TILEIR_NVCC="$work/plain" "$tool"
expect 2 "error: '*/cuda-13.0/bin/nvcc' is of release 13.0, which has no --enable-tile*13.3 or later" \
  env TILEIR_NVCC="$work/cuda-13.0/bin/nvcc" "$tool" x.cu
expect 2 "error: '/usr/bin/false --version' failed*" env TILEIR_NVCC=/usr/bin/false "$tool"
expect 2 "error: '/usr/bin/true --version' names no release" env TILEIR_NVCC=/usr/bin/true "$tool"
[ ! -e "$XDG_CACHE_HOME" ] || { echo "FAILED: an error left '$XDG_CACHE_HOME'" >&2; failures=$((failures + 1)); }

# Sixteen simultaneous first calls: all succeed, and one folder results.
export TILEIR_NVCC="$work/cuda 13.5/bin/nvcc"
for i in {1..16}; do
  "$tool" -c "a b.cu" >"$work/out.$i" 2>&1 &
done
wait
for i in {1..16}; do
  expect 0 $'nvcc 13.5 2 -c a b.cu\nours\nbin include nvvm ' cat "$work/out.$i"
done
expect 0 1 sh -c 'ls "$XDG_CACHE_HOME/tileir/nvcc" | wc -l'
# TILEIRAS of the environment takes precedence over the neighbour; another compiler has its own folder.
expect 2 "error: TILEIRAS is '/nowhere/tileiras', which is no program" env TILEIRAS=/nowhere/tileiras "$tool" x
cp "$work/cuda 13.5/bin/tileiras" "$work/prefix/tileiras"
expect 0 "*theirs*" env TILEIRAS="$work/prefix/tileiras" "$tool" x
expect 0 "*ours*" "$tool" x

# The nvcc in the folder resolves to the toolkit that it links to.
made=$("$tool" --tileir-print)
expect 0 "$made" env -u TILEIR_NVCC PATH="${made%/*}:$PATH" "$tool" --tileir-print
expect 0 "$made" "$work/prefix/bin/tileir-config" --nvcc
expect 0 "$made" env -u TILEIR_NVCC CUDA_ROOT="$work/cuda 13.5" CUDA_HOME=/nowhere "$tool" --tileir-print
expect 0 "nvcc 13.4 1 x*ours*" env TILEIR_NVCC="$work/cuda-13.4/bin/nvcc" "$tool" x
# Called through a link, as from a folder of the path.
ln -s "$tool" "$work/link"
expect 0 "$made" "$work/link" --tileir-print

# Damaged links are repaired; --tileir-remake also finds new files of the toolkit.
rm "${made%/*}/tileiras"
expect 0 "*ours*" "$tool" x
rm "${made%/*}/ptxas"
expect 0 "$made" "$tool" --tileir-remake
expect 0 "" test -x "${made%/*}/ptxas"
# A toolkit that is replaced in place gets a new folder.
rm -r "$work/cuda 13.5" && make_toolkit "$work/cuda 13.5" 13.6
expect 0 "nvcc 13.6 1 x*ours*" "$tool" x

# No writable place for the folder.
expect 2 "error: no folder for links: neither XDG_CACHE_HOME nor HOME is set" env -u XDG_CACHE_HOME -u HOME "$tool" x
expect 2 "error: cannot write to '/proc/none/tileir/nvcc'*XDG_CACHE_HOME*" env XDG_CACHE_HOME=/proc/none "$tool" x
rm "$work/prefix/bin/tileiras"
expect 2 "error: no tileiras beside '*'*note: set TILEIRAS*" "$tool" x
expect 2 "error: unknown option '--all'; tileir-config --help lists them" "$work/prefix/bin/tileir-config" --all
expect 0 "*TILEIR_NVCC*" "$tool" --tileir-help
rm "$tool"
expect 2 "error: no tileir-nvcc beside '*'" "$work/prefix/bin/tileir-config" --nvcc
[ $failures = 0 ] && echo ok
exit $((failures > 0))

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# nvcc with this compiler in place of NVIDIA's tileiras.
#
#   tileir-nvcc NVCC-ARGUMENT...
#   tileir-nvcc --tileir-print     prints the path of the nvcc that it starts, for CMake's CMAKE_CUDA_COMPILER
#   tileir-nvcc --tileir-remake    makes the folder around that nvcc again, then prints the same
#   tileir-nvcc --tileir-help
#
# nvcc calls the tileiras of its own folder. So this makes a folder of links to a toolkit with our tileiras among them, once,
# below $XDG_CACHE_HOME/tileir or ~/.cache/tileir, and starts the nvcc there.
#
# The toolkit is that of TILEIR_NVCC (the path of an nvcc), else of CUDA_ROOT, CUDA_HOME or CUDA_PATH, the first that is set,
# else of the nvcc on the path, else /usr/local/cuda. The compiler is TILEIRAS, else the tileiras beside this program.
#
# Exit status: nvcc's; 2 when there is no toolkit or no folder.
set -euo pipefail

fail() {
  echo "error: $1" >&2
  [ $# = 1 ] || echo "note: $2" >&2
  exit 2
}

# The program as it was called, which in a build tree is a link, and the file itself.
called=${BASH_SOURCE[0]}
itself=$(realpath -- "$called")
case ${1:-} in
--tileir-help) sed -n '3,/^# Exit/s/^# \{0,1\}//p' "$itself"; exit 0 ;;
esac

# TILEIR_NVCC: path of the nvcc that `tileir-nvcc` starts; else that of CUDA_ROOT, CUDA_HOME or CUDA_PATH, the path,
# /usr/local/cuda.
find_nvcc() {
  local root="${CUDA_ROOT-${CUDA_HOME-${CUDA_PATH-}}}" place
  local found="${TILEIR_NVCC:-}" said="TILEIR_NVCC is"
  if [ -z "$found" ] && [ -n "$root" ]; then
    found=$root/bin/nvcc said="CUDA_ROOT, CUDA_HOME or CUDA_PATH leads to"
  fi
  if [ -n "$found" ]; then
    [ -f "$found" ] || fail "$said '$found', which does not exist"
    [ -x "$found" ] || fail "$said '$found', which is not executable" "chmod +x '${found%/*}'/*"
    realpath -- "$found"
    return
  fi
  found=$(type -P nvcc || true)
  for place in "$found" /usr/local/cuda/bin/nvcc; do
    if [ -n "$place" ] && [ -x "$place" ]; then
      realpath -- "$place"
      return
    fi
  done
  fail "no nvcc on the path and none in /usr/local/cuda" \
    "set TILEIR_NVCC to the nvcc of a CUDA toolkit of release 13.3 or later"
}

find_tileiras() {
  local folder place
  for place in "${TILEIRAS:-}" "${called%/*}/tileiras" "${called%/*}/../tileiras/tileiras" "${itself%/*}/tileiras"; do
    if [ -n "$place" ] && [ -f "$place" ] && [ -x "$place" ]; then
      folder=$(cd -- "${place%/*}" && pwd)
      echo "$folder/${place##*/}"
      return
    fi
    [ -z "${TILEIRAS:-}" ] || fail "TILEIRAS is '$TILEIRAS', which is no program"
  done
  fail "no tileiras beside '$itself'" "set TILEIRAS to its path"
}

# Atomically replaces $2 by a link to $1.
put_link() {
  local new="$2.$$"
  ln -s -- "$1" "$new"
  mv -fT -- "$new" "$2"
}

# Creates or repairs folder $1: the toolkit of nvcc $2 as links, and tileiras $3.
fill() {
  local root entry
  root=$(dirname -- "$(dirname -- "$2")")
  mkdir -p -- "$1/bin"
  for entry in "$root"/*; do
    [ "${entry##*/}" = bin ] || put_link "$entry" "$1/${entry##*/}"
  done
  for entry in "${2%/*}"/*; do
    [ "${entry##*/}" = tileiras ] || put_link "$entry" "$1/bin/${entry##*/}"
  done
  put_link "$3" "$1/bin/tileiras"
}

# Rejects a program that is no nvcc, or an nvcc without tile kernels.
check_release() {
  local text release
  text=$("$1" --version 2>&1) || fail "'$1 --version' failed" "$text"
  release=$(sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p' <<<"$text" | head -n 1)
  [ -n "$release" ] || fail "'$1 --version' names no release"
  [ "$(printf '%s\n' 13.3 "$release" | sort -V | head -n 1)" = 13.3 ] ||
    fail "'$1' is of release $release, which has no --enable-tile" \
      "set TILEIR_NVCC to the nvcc of a CUDA toolkit of release 13.3 or later"
}

nvcc=$(find_nvcc)
tileiras=$(find_tileiras)
# XDG_CACHE_HOME: the folder of links to a toolkit is made below it; else below `~/.cache`.
cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
[ -n "$cache" ] || fail "no folder for links: neither XDG_CACHE_HOME nor HOME is set"
# A toolkit that is replaced in place gets another folder, like a toolkit at another path.
key=$({ printf '%s\0' "$nvcc" "$tileiras" && stat -c '%i %Y %s' -- "$nvcc" "${nvcc%/*}" "${nvcc%/*}/.."; } | sha256sum | head -c 16)
folder=$cache/tileir/nvcc/$key
case ${1:-} in
--tileir-remake) wanted=true ;;
*) wanted=false ;;
esac
if ! [ -d "$folder" ]; then
  check_release "$nvcc"
  if ! mkdir -p -- "$cache/tileir/nvcc" 2>/dev/null || ! new=$(mktemp -d -- "$folder.XXXXXX" 2>/dev/null); then
    fail "cannot write to '$cache/tileir/nvcc'" "set XDG_CACHE_HOME to a folder that can be written"
  fi
  trap 'rm -rf -- "$new"' EXIT
  chmod 755 -- "$new"
  fill "$new" "$nvcc" "$tileiras"
  # Another process may have created it meanwhile; both are the same.
  mv -T -- "$new" "$folder" 2>/dev/null || [ -d "$folder" ] || fail "cannot make '$folder'"
  rm -rf -- "$new"
  trap - EXIT
elif $wanted || ! [ -x "$folder/bin/nvcc" ] || ! [ -x "$folder/bin/tileiras" ]; then
  check_release "$nvcc"
  fill "$folder" "$nvcc" "$tileiras"
fi
case ${1:-} in
--tileir-print | --tileir-remake) echo "$folder/bin/nvcc" ;;
*) exec "$folder/bin/nvcc" "$@" ;;
esac

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where builds of others find what is installed here.
#
#   tileir-config --nvcc    prints the nvcc that compiles tile kernels by this compiler: -DCMAKE_CUDA_COMPILER=…
#   tileir-config --help
#
# Exit status: 2 for a wrong argument or what cannot be found.
set -euo pipefail
called=${BASH_SOURCE[0]}
itself=$(realpath -- "$called")

# The program $1 beside this one, in an installation or a build tree.
beside() {
  local place
  for place in "${called%/*}/$1" "${called%/*}/../$1/$1" "${itself%/*}/$1"; do
    if [ -f "$place" ] && [ -x "$place" ]; then
      echo "$place"
      return
    fi
  done
  echo "error: no $1 beside '$itself'" >&2
  exit 2
}

if [ $# != 1 ]; then
  sed -n '3,/^# Exit/s/^# \{0,1\}//p' "$itself" >&2
  exit 2
fi
case $1 in
--nvcc) program=$(beside tileir-nvcc) && exec "$program" --tileir-print ;;
-h | --help) sed -n '3,/^# Exit/s/^# \{0,1\}//p' "$itself" ;;
*) echo "error: unknown option '$1'; expected --nvcc" >&2; exit 2 ;;
esac

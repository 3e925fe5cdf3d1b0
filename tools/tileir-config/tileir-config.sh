#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Paths and flags of this installation, for other builds.
#
#   tileir-config --version           the version
#   tileir-config --plugin            libTileIR.so, the plugin with everything
#   tileir-config --mlir-opt-flags    the options that load it into mlir-opt-22
#   tileir-config --cxxflags          flags to compile a plugin of your own
#   tileir-config --ldflags           flags to link it
#   tileir-config --nvcc              the nvcc that compiles tile kernels by this compiler: -DCMAKE_CUDA_COMPILER=…
#   tileir-config --check             the dependences of compiler and plugin, and where they were searched for
#   tileir-config --check PLUGIN      whether mlir-opt-22 loads this plugin, and why not: it does not say so itself
#   tileir-config --help
#
# It works in an installation, wherever that was moved, and in a build tree. LLVM_PREFIX (default /usr/lib/llvm-22) is the
# folder of LLVM and MLIR 22.
#
# Exit status: 1 when --check finds something missing; 2 for a wrong argument or what cannot be found.
set -euo pipefail
called=${BASH_SOURCE[0]}
itself=$(realpath -- "$called")
# LLVM_PREFIX: folder of LLVM and MLIR 22, else `/usr/lib/llvm-22`; the build, CMake and `tileir-config` look there.
llvm=${LLVM_PREFIX:-/usr/lib/llvm-22}

usage() { sed -n '3,/^# Exit/s/^# \{0,1\}//p' "$itself"; }

# Prints the program $1 beside this one, in an installation or a build tree.
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

# Sets `library` and `version`, and `prefix` of an installation, or `source` and `build` of a build tree.
find_root() {
  prefix=$(realpath -- "${itself%/*}/..")
  version=$prefix/share/tileir/VERSION
  # A wheel has no links: only the name with the version exists.
  for library in "$prefix/lib/libTileIR.so" "$prefix/lib/libTileIR.so".*; do
    [ ! -e "$library" ] || return 0
  done
  prefix=''
  source=$(realpath -- "${itself%/*}/../..")
  version=$source/VERSION
  build=$(realpath -- "${called%/*}/../..")
  library=$build/pipelines/libTileIR.so
  [ -e "$version" ] && [ -e "$library" ] && return
  echo "error: no libTileIR.so in '${itself%/*}/../lib'; in a checkout build it: bazel build //:plugins" >&2
  exit 2
}

missing=0
# Prints the path of a component or, if it is missing, advice.
say() { # NAME PATH PLACES ADVICE
  if [ -n "$2" ]; then
    echo "$1: $2"
    return
  fi
  printf '%s: not found\n' "$1"
  printf '  looked for %s\n' "${@:3:$#-3}"
  echo "  ${*: -1}"
  missing=1
}

check() {
  local found broken mlir_opt
  "$(beside tileiras)" --print-toolkit || {
    missing=1
    echo "  install NVIDIA's: pip install nvidia-cuda-nvcc nvidia-nvvm, or a CUDA toolkit; TILEIR_PTXAS_PATH names another ptxas"
  }
  broken=$(ldd "$library" | sed -n 's/^\t*\(.*\) => not found$/\1/p')
  if [ -z "$broken" ]; then
    say libTileIR.so "$library"
  else
    for found in $broken; do
      say "$found" "" "$llvm/lib/$found" "the folders of ldconfig" \
        "libTileIR.so needs it: install libmlir-22 and libllvm22, or add its folder to LD_LIBRARY_PATH"
    done
  fi
  mlir_opt=$(type -P mlir-opt-22 || type -P "$llvm/bin/mlir-opt" || true)
  say mlir-opt "$mlir_opt" "mlir-opt-22 on the path" "$llvm/bin/mlir-opt" \
    "the plugin needs it: install mlir-22-tools, or set LLVM_PREFIX; tileir-opt does without"
}

# Prints why mlir-opt says "Request ignored" for plugin $1, or that it does not.
check_plugin() {
  local mlir_opt broken said
  mlir_opt=$(type -P mlir-opt-22 || type -P "$llvm/bin/mlir-opt" || true)
  case $1 in
  */*) ;;
  *)
    echo "$1: a name without a slash, which the loader looks for in its own folders alone; write ./$1"
    exit 1
    ;;
  esac
  [ -e "$1" ] || { echo "$1: no such file"; exit 1; }
  broken=$({ LC_ALL=C ldd "$1" 2>&1 || true; } | sed -n -e 's/^\t*\(.*\) => not found$/\1: not found/p' -e "s|^.*: version \(.*\)|version \1|p")
  [ -z "$broken" ] || { echo "$1 needs more than is there:"; while read -r said; do echo "  $said"; done <<<"$broken"; exit 1; }
  [ -n "$mlir_opt" ] || { echo "mlir-opt: not found"; exit 1; }
  said=$("$mlir_opt" --load-dialect-plugin="$1" --load-pass-plugin="$1" - 2>&1 <<<'' >/dev/null) || true
  [ -z "$said" ] || { printf '%s: %s does not load it:\n  %s\n' "$1" "$mlir_opt" "$said"; exit 1; }
  echo "$1: $mlir_opt loads it"
}

case $#:${1:-} in
1:* | 2:--check) ;;
*)
  usage >&2
  exit 2
  ;;
esac
case $1 in
-h | --help) usage ;;
--nvcc) program=$(beside tileir-nvcc) && exec "$program" --tileir-print ;;
--version) find_root && cat "$version" ;;
--plugin) find_root && echo "$library" ;;
--mlir-opt-flags) find_root && echo "--load-dialect-plugin=$library --load-pass-plugin=$library" ;;
--cxxflags)
  find_root
  if [ -n "$prefix" ]; then include=-I$prefix/include/tileir; else include="-I$source -I$build"; fi
  echo "-std=c++17 -fPIC -fno-exceptions $include -isystem $llvm/include"
  ;;
--ldflags) find_root && echo "-shared $library -Wl,-rpath,${library%/*} -L$llvm/lib -lMLIR -lLLVM" ;;
--check)
  if [ $# = 2 ]; then
    check_plugin "$2"
  else
    find_root && check && exit $missing
  fi
  ;;
*)
  echo "error: unknown option '$1'; tileir-config --help lists them" >&2
  exit 2
  ;;
esac

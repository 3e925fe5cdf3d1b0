#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-1 to PK-3: installed programs work after a move, no file names the build tree, and tileir-config reports the
# location. CLI-65: `tileiras` has the disassembler beside it.
set -euo pipefail
fail() { echo "FAILED: $*"; exit 1; }
packages/install "$TEST_TMPDIR/first prefix" >/dev/null
prefix="$TEST_TMPDIR/a prefix"
mv "$TEST_TMPDIR/first prefix" "$prefix"
bin=$prefix/bin
mlir_opt=${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/mlir-opt

! grep -rlE "bazel-out|execroot|_solib_|$TEST_TMPDIR" "$prefix" --exclude-dir=docs || fail "these files name the build tree"

# Every program starts.
for tool in tileiras tileirdisasm tileir-serialize tileir-translate tileir-run tileir-interp tileir-check tileir-schedule \
  tileir-lsp-server tileir-opt tileir-bisect tileir-reduce tileir-explain; do
  "$bin/$tool" --version >"$TEST_TMPDIR/version" || fail "$tool --version"
  grep -qE "tileir|LLVM version" "$TEST_TMPDIR/version" || fail "$tool says $(cat "$TEST_TMPDIR/version")"
done
programs=("$bin"/*)
[ ${#programs[@]} = 15 ] || fail "not fifteen programs: ${programs[*]}"
"$bin/tileir-nvcc" --tileir-help >/dev/null
"$bin/tileir-serialize" --version | grep '^tileir-serialize: ' >/dev/null || fail "tileir-serialize is another program"
"$bin/tileir-serialize" --help | grep -- --input-kind >/dev/null || fail "tileir-serialize has other options"

# A kernel, from text to a right answer.
examples=$prefix/share/tileir/examples/kernels
out=$TEST_TMPDIR/out
mkdir -p "$out"
"$bin/tileir-translate" --mlir-to-cudatilebc "$examples/add.mlir" -o "$out/add.tileirbc"
"$bin/tileiras" "$out/add.tileirbc" -o "$out/add.ptx" --gpu-name sm_80 --emit=ptx
/usr/bin/python3 "$examples/make_case.py" add add.ptx "$out"
"$bin/tileir-run" "$out/case.json" --arch=sm_80

# Programs find each other: the pass at fault, and the smallest kernel that shows it.
"$bin/tileir-run" "$out/add.tileirbc" --init="$out/whole.json" 2>/dev/null
"$bin/tileir-bisect" "$out/whole.json" --pipeline=planted-fault=wrong-add >"$out/said" || { cat "$out/said"; fail "tileir-bisect"; }
grep -qx "culprit: test-tileir-plant-fault" "$out/said" || { cat "$out/said"; fail "another culprit"; }
"$bin/tileir-reduce" "$out/whole.json" --pipeline=planted-fault=wrong-add -o "$out/small.mlir" || fail "tileir-reduce"
grep -q "cuda_tile.module" "$out/small.mlir" || fail "tileir-reduce wrote no kernel"

# The plugin works alone, and with the split set in any order.
mkdir "$TEST_TMPDIR/alone"
cp -L "$prefix/lib/libTileIR.so" "$TEST_TMPDIR/alone/"
pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90})'
lower() {
  local library flags=()
  for library in "$@"; do flags+=(--load-dialect-plugin="$library" --load-pass-plugin="$library"); done
  "$mlir_opt" "$examples/add.mlir" "${flags[@]}" --pass-pipeline="$pipeline"
}
lower "$TEST_TMPDIR/alone/libTileIR.so" >"$out/alone.mlir"
grep -q nvvm.kernel "$out/alone.mlir" || fail "the plugin lowered nothing"
for order in "TileIR TileIRPipelines" "TileASPasses TileIR" "TileIRPipelines CudaTileDialect TileIR"; do
  libraries=()
  for name in $order; do libraries+=("$prefix/lib/lib$name.so"); done
  lower "${libraries[@]}" | cmp - "$out/alone.mlir" || fail "another result with $order"
done
"$bin/tileir-opt" "$examples/add.mlir" --pass-pipeline="$pipeline" | cmp - "$out/alone.mlir"
"$bin/tileir-opt" "$examples/add.mlir" --load-pass-plugin="$prefix/lib/libTileIR.so" --pass-pipeline="$pipeline" | cmp - "$out/alone.mlir"

# tileir-config.
config=$bin/tileir-config
expect() { # STATUS TEXT COMMAND...
  local status=$1 text=$2 got code=0
  shift 2
  got=$("$@" 2>&1) || code=$?
  # shellcheck disable=SC2053  # a pattern
  [[ $code = "$status" && $got == $text ]] || fail "$*: status $code, $got"
}
expect 0 "$("$bin/tileir-run" --version | sed -n 's/^Build tileir-\([0-9.]*\)-.*/\1/p')" "$config" --version
expect 0 "$prefix/lib/libTileIR.so" "$config" --plugin
expect 0 "--load-dialect-plugin=$prefix/lib/libTileIR.so --load-pass-plugin=$prefix/lib/libTileIR.so" "$config" --mlir-opt-flags
expect 2 "error: unknown option '--plugins'; tileir-config --help lists them" "$config" --plugins
ln -s "$config" "$TEST_TMPDIR/link"
expect 0 "$prefix/lib/libTileIR.so" "$TEST_TMPDIR/link" --plugin

# --check: all present; nothing present; LLVM's libraries missing.
toolkit=$TEST_TMPDIR/toolkit
mkdir -p "$toolkit/bin" "$toolkit/nvvm/libdevice"
printf '#!/bin/sh\necho "Cuda compilation tools, release 13.5, V13.5.37"\n' >"$toolkit/bin/ptxas"
chmod +x "$toolkit/bin/ptxas"
touch "$toolkit/nvvm/libdevice/libdevice.10.bc"
bare=(env -i "LLVM_PREFIX=${LLVM_PREFIX:-/usr/lib/llvm-22}" HOME=/nowhere)
expect 0 "ptxas 13.5: $toolkit/bin/ptxas
libdevice: $toolkit/nvvm/libdevice/libdevice.10.bc
libTileIR.so: $prefix/lib/libTileIR.so
mlir-opt: *" "${bare[@]}" PATH=/usr/bin:/bin CUDA_ROOT="$toolkit" "$config" --check
mkdir "$TEST_TMPDIR/path"
for program in bash cat dirname ldd realpath sed; do ln -s "$(type -P $program)" "$TEST_TMPDIR/path/"; done
expect 1 "ptxas: not found
  looked for $prefix/bin/ptxas
  looked for $TEST_TMPDIR/path/ptxas
  looked for $TEST_TMPDIR/nvidia/cu13/bin/ptxas
  looked for /nowhere/.local/share/tileir/cuda-*/nvidia/cu13/bin/ptxas
libdevice: not found
  looked for $prefix/nvvm/libdevice/libdevice.10.bc
  looked for *
  install NVIDIA's: *
mlir-opt: not found
  looked for mlir-opt-22 on the path
  looked for /nothing/bin/mlir-opt
*" "${bare[@]}" LLVM_PREFIX=/nothing PATH="$TEST_TMPDIR/path" "$config" --check
# A plugin: mlir-opt only reports that it ignores one.
expect 0 "$prefix/lib/libTileIR.so: * loads it" "$config" --check "$prefix/lib/libTileIR.so"
expect 1 "libTileIR.so: a name without a slash, * write ./libTileIR.so" "$config" --check libTileIR.so
expect 1 "./libTileIR.so: no such file" "$config" --check ./libTileIR.so
cp -L "$prefix/lib/libTileASPasses.so" "$TEST_TMPDIR/lonely.so"
expect 1 "$TEST_TMPDIR/lonely.so needs more than is there:
  lib*.so: not found*" "$config" --check "$TEST_TMPDIR/lonely.so"
expect 1 "$config: * does not load it:
  *Request ignored.*" "$config" --check "$config"
expect 2 "*tileir-config --version*" "$config" --plugin now
sed -i 's/libMLIR\.so\.22/libMLIX.so.22/' "$prefix/lib/libTileIR.so"
expect 1 "*
libMLIX.so.22.1: not found
  looked for /*/lib/libMLIX.so.22.1
  looked for the folders of ldconfig
  libTileIR.so needs it: *" "${bare[@]}" PATH=/usr/bin:/bin CUDA_ROOT="$toolkit" "$config" --check

# Installs over existing files, also while a program runs; an old header is removed.
touch "$prefix/include/tileir/old.h"
packages/install "$prefix" >/dev/null
[ ! -e "$prefix/include/tileir/old.h" ] || fail "an old header is left"
[ -z "$(find "$prefix" -maxdepth 1 -name '.tileir.*')" ] || fail "a private folder is left"
lower "$prefix/lib/libTileIR.so" | cmp - "$out/alone.mlir"

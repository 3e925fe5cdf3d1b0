#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The worked example as a workspace of its own: analysis of everything from source, then cubins, the object and a program
# with this build's compiler. No network. Usage: external-workspace-test.sh DEFS TILEIRAS TRANSLATE
set -euo pipefail
tileir=$(dirname "$(dirname "$(readlink -f "$1")")")
compiler=$(readlink -f "$2") translator=$(readlink -f "$3")
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/external.XXXXXX")
base=$work/output
mkdir -p "$work/ws/prebuilt"
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cp "$tileir"/examples/bazel/{BUILD.bazel,WORKSPACE,.bazelrc,add.mlir,main.cpp} "$work/ws/"
sed -i "s|path = \"../..\"|path = \"$tileir\"|" "$work/ws/WORKSPACE"
# The compiler that this test was given, in the place of one that Bazel builds.
ln -s "$compiler" "$work/ws/prebuilt/tileiras"
ln -s "$translator" "$work/ws/prebuilt/tileir-translate"
cat >"$work/ws/prebuilt/BUILD.bazel" <<'BUILD'
exports_files(["tileiras", "tileir-translate"])
BUILD
cd "$work/ws"
# The environment of a test is not that of a user.
run() { env -i HOME="$HOME" PATH=/usr/bin:/bin:/usr/local/bin ${TILEIR_PTXAS_PATH:+TILEIR_PTXAS_PATH="$TILEIR_PTXAS_PATH"} \
  timeout 250 bazel --output_base="$base" --max_idle_secs=20 "$@"; }
cleanup() { run shutdown || true; chmod -R u+w "$work"; rm -rf "$work"; }
trap cleanup EXIT

echo "== everything analyses from source, as an external repository"
run build --nobuild --noshow_progress //... 2>&1 | tail -n 3

echo "== kernels and a program"
prebuilt=(--@tileir//tools:compiler=//prebuilt:tileiras --@tileir//tools:translator=//prebuilt:tileir-translate)
run build --noshow_progress "${prebuilt[@]}" //... 2>&1 | tail -n 5
cubin=bazel-bin/add_sm90.cubin
[ "$(head -c 4 "$cubin")" = "$(printf '\177ELF')" ]
grep -q '"launch_abi": "plain"' bazel-bin/add_plain.launch.json
grep -q '"name": "add"' bazel-bin/add_plain.launch.json
bazel-bin/main | tee "$work/said"
# The same source, level and target: as many bytes as the cubin by itself.
grep -qx "cubin of $(stat -Lc %s "$cubin") bytes: ELF" "$work/said"

echo "== nothing to do the second time; another level is another action"
run build "${prebuilt[@]}" //... 2>&1 | grep -E 'INFO: 1 process: 1 internal'
sed -i 's/opt_level = 2/opt_level = 1/' BUILD.bazel
run build "${prebuilt[@]}" //... 2>&1 | tee "$work/again" | grep -E 'INFO: Build completed'
grep -qE ' 2 processes| [1-9][0-9]* total action' "$work/again"

echo "== wrong use is an error at the target"
sed -i '0,/arch = "sm_90",/s//arch = "sm_90", device_debug = True,/' BUILD.bazel
if run build "${prebuilt[@]}" //:add_sm90 >"$work/error" 2>&1; then exit 1; fi
grep -q 'device_debug needs opt_level = 0' "$work/error"
echo ok

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the worked example as a workspace of its own: analyses everything from source and builds a sample of it, then
# builds cubins, objects and a program with this build's compiler, selected by the flags of earlier releases. No
# network. Usage: external-workspace-test.sh DEFS TILEIRAS TRANSLATE
set -euo pipefail
tileir=$(dirname "$(dirname "$(readlink -f "$1")")")
compiler=$(readlink -f "$2") translator=$(readlink -f "$3")
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/external.XXXXXX")
base=$work/output
mkdir -p "$work/ws/prebuilt"
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cp "$tileir"/examples/bazel/{BUILD.bazel,WORKSPACE,.bazelrc,add.mlir,pair.mlir,main.cpp} "$work/ws/"
sed -i "s|path = \"../..\"|path = \"$tileir\"|" "$work/ws/WORKSPACE"
# The compiler under test replaces the one that Bazel would build.
ln -s "$compiler" "$work/ws/prebuilt/tileiras"
ln -s "$translator" "$work/ws/prebuilt/tileir-translate"
cat >"$work/ws/prebuilt/BUILD.bazel" <<'BUILD'
exports_files(["tileiras", "tileir-translate"])
BUILD
cd "$work/ws"
# The environment of a test is not that of a user.
run() { env -i HOME="$HOME" PATH=/usr/bin:/bin:/usr/local/bin ${TILEIR_PTXAS_PATH:+TILEIR_PTXAS_PATH="$TILEIR_PTXAS_PATH"} \
  timeout 600 bazel --output_base="$base" --max_idle_secs=20 "$@"; }
cleanup() { run shutdown || true; chmod -R u+w "$work"; rm -rf "$work"; }
trap cleanup EXIT

echo "== everything analyses from source, as an external repository"
run build --nobuild --noshow_progress //... 2>&1 | tail -n 3

echo "== a workspace that has rules_cc of its own keeps it"
mkdir -p "$work/rules_cc/cc/common"
echo 'workspace(name = "rules_cc")' >"$work/rules_cc/WORKSPACE"
cp "$tileir"/third_party/rules_cc/{action_names,find_cc_toolchain,native}.bzl "$work/rules_cc/cc/"
cp "$tileir"/third_party/rules_cc/{cc_common,cc_info}.bzl "$work/rules_cc/cc/common/"
cp "$tileir/third_party/rules_cc/cc_package.bzl" "$work/rules_cc/cc/BUILD.bazel"
cp "$tileir/third_party/rules_cc/BUILD.bazel" "$work/rules_cc/cc/common/"
{ cat "$tileir/third_party/rules_cc/defs.bzl" && echo 'print("rules_cc of this workspace")'; } >"$work/rules_cc/cc/defs.bzl"
cp WORKSPACE "$work/WORKSPACE.shim"
sed -i "s|^load(|local_repository(name = \"rules_cc\", path = \"$work/rules_cc\")\n\n&|" WORKSPACE
run build --nobuild //... 2>&1 | grep 'rules_cc of this workspace' >/dev/null # reads to the end: no broken pipe
mv "$work/WORKSPACE.shim" WORKSPACE

echo "== a sample from source, as the rules build their compiler: precompiled header, generated code, a static program"
mkdir sample
cat >sample/BUILD.bazel <<'BUILD'
genrule(
    name = "sample",
    testonly = True,
    outs = ["said"],
    cmd = "$(location @tileir//dialects/launch:launch_test) >$@",
    tools = ["@tileir//dialects/launch:launch_test", "@tileir//passes/host_wrapper:passes_inc"],
)
BUILD
run build --noshow_progress --check_visibility=false //sample 2>&1 | tail -n 3
grep -q 'PASSED' bazel-bin/sample/said
rm -r sample

echo "== kernels and a program"
prebuilt=(--@tileir//tools:compiler=//prebuilt:tileiras --@tileir//tools:translator=//prebuilt:tileir-translate)
run build --noshow_progress "${prebuilt[@]}" //... 2>&1 | tail -n 5
cubin=bazel-bin/add_sm90.cubin
[ "$(head -c 4 "$cubin")" = "$(printf '\177ELF')" ]
grep -q '"launch_abi": "plain"' bazel-bin/add_plain.launch.json
grep -q '"name": "add"' bazel-bin/add_plain.launch.json
bazel-bin/main | tee "$work/said"
# The same source, level and target give the size of the separately built cubin.
grep -qx "add: cubin of $(stat -Lc %s "$cubin") bytes: ELF" "$work/said"
grep -qx "pair: cubin of [0-9]* bytes: ELF" "$work/said"
# The header is C and C++.
cc -xc -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only -include bazel-bin/add.h /dev/null
c++ -xc++ -Wall -Wextra -Werror -pedantic -fsyntax-only -include bazel-bin/add.h /dev/null
# Two kernels in a module, two targets of one rule.
for arch in sm_80 sm_120; do
  for kernel in negate twice; do grep -aq ".text.$kernel" "bazel-bin/pair_$arch.cubin"; done
done

echo "== nothing depends on this machine: no path of it in a product or a command, no variable"
for product in bazel-bin/*.cubin bazel-bin/*.o bazel-bin/*.json bazel-bin/*.h; do
  if grep -aqE "$work|/root/|/home/|$HOME/" "$product"; then echo "$product has a path of this machine"; exit 1; fi
done
run aquery "${prebuilt[@]}" 'mnemonic("TileIR.*", //...)' >"$work/actions" 2>/dev/null
grep -q 'Mnemonic: TileIRCompile' "$work/actions"
grep -q 'Mnemonic: TileIRTranslate' "$work/actions"
if grep -E '^ *Environment:.*[A-Z]' "$work/actions"; then exit 1; fi
if sed -n '/Command Line:/,/^$/p' "$work/actions" | grep -E "[ =']/"; then exit 1; fi
run query 'kind("tileir_cubin|_tileir_object", //...)' 2>/dev/null | sort | tr '\n' ' ' | tee "$work/rules"
grep -qx '//:add_plain //:add_sm90 //:add_tileir //:pair_sm_120 //:pair_sm_80 //:pair_tileir ' "$work/rules"

echo "== nothing to do the second time; another level is another action"
run build "${prebuilt[@]}" //... 2>&1 | grep -E 'INFO: 1 process: 1 internal'
sed -i 's/opt_level = 2/opt_level = 1/' BUILD.bazel
run build "${prebuilt[@]}" //... 2>&1 | tee "$work/again" | grep -E 'INFO: Build completed'
grep -qE ' 2 processes| [1-9][0-9]* total action' "$work/again"

echo "== select, and another ptxas"
mkdir toolkit
cat >toolkit/ptxas.sh <<'PTXAS'
#!/bin/sh
exit 42
PTXAS
chmod +x toolkit/ptxas.sh
echo 'exports_files(["ptxas.sh"])' >toolkit/BUILD.bazel
run aquery "${prebuilt[@]}" --define=gpu=blackwell //:pair_tileir 2>/dev/null | grep -- --gpu-name=sm_100 >/dev/null # reads to the end: no broken pipe
if run build "${prebuilt[@]}" --@tileir//tools:ptxas=//toolkit:ptxas.sh //:add_sm90 >"$work/error" 2>&1; then exit 1; fi
grep -q 'ptxas exited with status 42' "$work/error"

echo "== wrong use is an error at the target"
sed -i '0,/arch = "sm_90",/s//arch = "sm_90", device_debug = True,/' BUILD.bazel
if run build "${prebuilt[@]}" //:add_sm90 >"$work/error" 2>&1; then exit 1; fi
grep -q 'device_debug needs opt_level = 0' "$work/error"
sed -i 's/"sm_80",/"sm_81",/' BUILD.bazel
if run build --nobuild "${prebuilt[@]}" //:pair_sm_81 >"$work/error" 2>&1; then exit 1; fi
grep -q "'sm_81' is no target of tile kernels; expected one of sm_80, " "$work/error"
# The rules know the same targets as the compiler.
sed -n 's/^TILEIR_TARGET(\([0-9]*\), *\([A-Za-z]*\),.* true, .*/\1 \2/p' "$tileir/dialects/support/Targets.def" |
  while read -r number suffixes; do
    echo "sm_$number"
    case $suffixes in A) echo "sm_${number}a" ;; AF) echo "sm_${number}a" "sm_${number}f" | tr ' ' '\n' ;; esac
  done >"$work/targets"
sed -n 's/^Error in fail: .*expected one of //p' "$work/error" | head -n 1 | tr -d ' ' | tr ',' '\n' | diff - "$work/targets"
echo ok

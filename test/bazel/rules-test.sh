#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The worked example with the toolchain of an installed tileir: nothing of LLVM, no C++ of this repository. Built by Bazel 4.2.3,
# also with the flags by which it announced later releases; and the actions are those of the rules under later builtins.
# Usage: rules-test.sh DEFS
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
tileir=$(dirname "$(dirname "$(readlink -f "$1")")")
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/rules.XXXXXX")
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
packages/install "$work/prefix"
tarball=$(realpath packages/tarball/*.tar.xz) wheel=$(realpath packages/wheel/*.whl)
mkdir "$work/ws"
cp "$tileir"/examples/bazel/{BUILD.bazel,MODULE.bazel,WORKSPACE,add.mlir,pair.mlir,main.cpp} "$work/ws/"
cd "$work/ws"
run() { env -i HOME="$HOME" PATH=/usr/bin:/bin:/usr/local/bin ${TILEIR_PTXAS_PATH:+TILEIR_PTXAS_PATH="$TILEIR_PTXAS_PATH"} \
  timeout 600 bazel --output_base="$work/output" --max_idle_secs=20 "$@"; }
cleanup() { run shutdown || true; chmod -R u+w "$work"; rm -rf "$work"; }
trap cleanup EXIT

# The setup that WORKSPACE describes in its comment.
sed -i -e "s|path = \"../..\"|path = \"$tileir\"|" -e 's|^#   ||' -e "s|/opt/tileir|$work/prefix|" WORKSPACE
if [ -x "${TILEIR_PEER_NVCC:-}" ]; then
  # CUDA Tile C++ beside it.
  sed -i "/^register_toolchains/i load(\"@tileir//rules_tileir:repositories.bzl\", \"tileir_nvcc\")\n\ntileir_nvcc(name = \"tileir_nvcc\", nvcc = \"$TILEIR_PEER_NVCC\")\n\nregister_toolchains(\"@tileir_nvcc//:toolchain\")\n" WORKSPACE
  cp "$here/scale.cu" "$here/factor.h" "$here/scale_main.cpp" .
  sed -i 's|load("@rules_tileir//:defs.bzl", |&"tileir_cpp_object", |' BUILD.bazel
  cat >>BUILD.bazel <<'BUILD'

tileir_cpp_object(
    name = "scale",
    src = "scale.cu",
    hdrs = ["factor.h"],
    arch = "sm_90",
)

cc_binary(
    name = "scale_main",
    srcs = ["scale_main.cpp"],
    deps = [":scale"],
)
BUILD
else
  echo "SKIPPED: no nvcc for the rule of C++ kernels; run tools/setup/setup.sh --peers"
fi

echo "== built without a repository of LLVM"
run build --noshow_progress //... 2>&1 | tail -n 3
bazel-bin/main | grep -qE '^add: cubin of [0-9]+ bytes: ELF$'
[ "$(head -c 4 bazel-bin/add_sm90.cubin)" = "$(printf '\177ELF')" ]
if [ -e "$work/output/external/llvm" ]; then echo "the toolchain of a prefix needs no LLVM"; exit 1; fi
if [ -x "${TILEIR_PEER_NVCC:-}" ]; then
  bazel-bin/scale_main | grep -qE '^scale: cubin of [0-9]+ bytes: ELF$'
  # Three actions, each with a product: a change of only the first action's input stops after it.
  echo '// A comment.' >>scale.cu
  run build --noshow_progress //:scale_main 2>&1 | tee "$work/said" | tail -n 2
  grep -q 'INFO: 2 processes: 1 internal, 1 linux-sandbox' "$work/said"
  sed -i 's/2.0f/3.0f/' factor.h
  run build --noshow_progress //:scale_main >"$work/said" 2>&1
  grep -qE 'INFO: [56] processes' "$work/said" || { cat "$work/said"; exit 1; }
fi

echo "== the toolchain from an archive, and from a wheel"
sha() { sha256sum "$1" | head -c 64; }
cat >>WORKSPACE <<WORKSPACE

load("@tileir//rules_tileir:repositories.bzl", "tileir_archive")

tileir_archive(name = "from_archive", urls = ["file://$tarball"], sha256 = "$(sha "$tarball")", strip_prefix = "$(basename "$tarball" .tar.xz)")

tileir_archive(name = "from_wheel", urls = ["file://$wheel"], sha256 = "$(sha "$wheel")")
WORKSPACE
cp bazel-bin/add_sm90.cubin "$work/first.cubin"
for repository in from_archive from_wheel; do
  run build --noshow_progress --repository_cache= "--extra_toolchains=@$repository//:toolchain" //:add_sm90 2>&1 | tail -n 1
  run aquery "--extra_toolchains=@$repository//:toolchain" //:add_sm90 2>/dev/null >"$work/said"
  grep -qF "external/$repository/bin/tileiras" "$work/said"
  cmp "$work/first.cubin" bazel-bin/add_sm90.cubin
done

echo "== the flags by which Bazel 4 announced later releases"
language=(
  --incompatible_disable_depset_items
  --incompatible_disable_target_provider_fields
  --incompatible_disallow_empty_glob
  --incompatible_disallow_struct_provider_syntax
  --incompatible_no_implicit_file_export
  --incompatible_no_rule_outputs_param
  --incompatible_struct_has_no_methods
  --incompatible_visibility_private_attributes_at_definition
)
run build --noshow_progress "${language[@]}" --incompatible_config_setting_private_default_visibility \
  --incompatible_enforce_config_setting_visibility --incompatible_use_platforms_repo_for_constraints //... 2>&1 | tail -n 1
# Every package of the checkout loads with them; by name, since links into another build's output are no packages of this one.
mapfile -t packages < <(cd "$tileir" && git ls-files '*BUILD.bazel' ':!examples/bazel' | xargs ls 2>/dev/null | sed -E 's|(.*)/BUILD.bazel|//\1:all|; s|^BUILD.bazel|//:all|')
(cd "$tileir" && run query --noshow_progress "${language[@]}" "set(${packages[*]})" >"$work/said")
[ "$(wc -l <"$work/said")" -gt 1000 ]

echo "== actions under the builtins of later releases"
if [ -d "${TILEIR_STARLARK_PATH:-}" ]; then
  run aquery --output=jsonproto 'mnemonic("TileIR.*", //...)' >"$work/actions.json" 2>/dev/null
  /usr/bin/python3 "$here/starlark/check.py" actions "$tileir" "$work/actions.json" . "$work/output/external"
  # The comparison detects a differing word.
  sed -E 's/(--opt-level(=|\\u003d))2/\11/' "$work/actions.json" >"$work/other.json"
  if /usr/bin/python3 "$here/starlark/check.py" actions "$tileir" "$work/other.json" . "$work/output/external" >"$work/said"; then exit 1; fi
  grep -q 'action of .*add_plain.cubin' "$work/said"
else
  echo "SKIPPED: no starlark-pyo3; run tools/setup/setup.sh"
fi
echo ok

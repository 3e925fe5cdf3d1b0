#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-50: each quick start of the README is three commands; they run verbatim, in a copy of the checkout, with the
# results that the README describes (PK-52: the same PTX by mlir-opt as by tileiras). Usage: readme_test.sh README
set -euo pipefail
if [ "${TILEIR_ASSERTS:-}" = 1 ]; then
  echo "SKIPPED: the README builds with optimization, so nothing would come from the cache"
  exit 0
fi
checkout=$(dirname "$(readlink -f "$1")")
real_home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/readme.XXXXXX")
copy=$work/tileir home=$work/home
mkdir -p "$copy" "$home/.cache/tileir" "$home/.local/share"
ln -s "$real_home/.cache/tileir/bazel" "$home/.cache/tileir/bazel"
ln -s "${TILEIR_TOOLKIT:-$real_home/.local/share/tileir}" "$home/.local/share/tileir"
echo "startup --output_user_root=$work/bazel --max_idle_secs=60 --host_jvm_args=-Xmx900m" >"$home/.bazelrc"
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf - 2>/dev/null) | tar -xf - -C "$copy"
# The environment of a user, not of a test.
user=(env -i "HOME=$home" PATH=/usr/local/bin:/usr/bin:/bin)
cleanup() {
  (cd "$copy" && "${user[@]}" bazel shutdown) || true
  (cd "$copy/examples/bazel" && "${user[@]}" bazel shutdown) || true
  chmod -R u+w "$work"
  rm -rf "$work"
}
trap cleanup EXIT

# The blocks below the headings: PART.sh with the commands of part PART, its heading in PART.title.
awk -v folder="$work" '
  /^### / { ++part; print substr($0, 5) > (folder "/" part ".title"); next }
  /^## / { part = 0; next }
  /^```/ && part { inside = !inside; next }
  inside && part { print > (folder "/" part ".sh") }' "$copy/README.md"

# Checks the results of a part's commands.
check() { # TITLE
  case $1 in
  "I have bytecode, or cuTile Python") [ "$(head -c 4 .tileir/gemm.cubin)" = $'\x7fELF' ] ;;
  "I write passes")
    local bin=.tileir/prefix/bin gemm=test/data/tileirbc/gemm_tiled_f16.v13_3.tileirbc
    "$bin/tileir-serialize" .tileir/lowered.mlir --emit=ptx --output-file=.tileir/mine.ptx
    "$bin/tileiras" $gemm -o .tileir/theirs.ptx --gpu-name sm_90 --emit=ptx
    grep -q wgmma .tileir/theirs.ptx
    cmp .tileir/mine.ptx .tileir/theirs.ptx
    ;;
  "I check kernels without a GPU") grep -q "^in the emulator: equal to NumPy" "$work/log" ;;
  "I build with Bazel") [ "$(head -c 4 examples/bazel/bazel-bin/add_sm90.cubin)" = $'\x7fELF' ] ;;
  "I write tile kernels in C++") .tileir/tile_cpp/matmul ;;
  *) echo "no check for this heading"; return 1 ;;
  esac
}

cd "$copy"
parts=0
for title in "$work"/*.title; do
  part=${title%.title} name=$(cat "$title")
  echo "== $name"
  [ "$(wc -l <"$part.sh")" = 3 ] || { echo "FAILED: not three commands"; exit 1; }
  if grep -q -- --peers "$part.sh" && [ ! -x "${TILEIR_PEER_NVCC:-}" ]; then
    echo "SKIPPED: no nvcc; run tools/setup/setup.sh --peers"
  else
    code=0
    "${user[@]}" bash -euo pipefail "$part.sh" >"$work/log" 2>&1 || code=$?
    (export "${user[@]:2}" && check "$name") >>"$work/log" 2>&1 || code=$?
    [ $code = 0 ] || { tail -n 50 "$work/log"; echo "FAILED: $name"; exit 1; }
    # PK-51: progress and the last line are visible, even if standard error is not a terminal.
    if grep -q 'bazel ' "$part.sh"; then
      for line in '^Analyzing: ' '^INFO: Build completed successfully'; do
        grep -qE "$line" "$work/log" || { cat "$work/log"; echo "FAILED: $name: no line '$line'"; exit 1; }
      done
    fi
  fi
  parts=$((parts + 1))
done
[ $parts = 5 ] || { echo "FAILED: $parts quick starts instead of five"; exit 1; }

# The page that the last one sends to goes on in its folders: its other commands, but for the lines of C++.
if [ -x "${TILEIR_PEER_NVCC:-}" ] && [ -d "${TILEIR_PEER_NVRTC:-}" ]; then
  echo "== docs/start/tile-cpp.md"
  awk '/^```/ { if (inside) inside = 0; else { ++block; inside = 1 } next } inside && block > 1 && !/^#/' docs/start/tile-cpp.md >"$work/page.sh"
  [ "$(wc -l <"$work/page.sh")" = 8 ] || { cat "$work/page.sh"; echo "FAILED: other commands"; exit 1; }
  code=0
  "${user[@]}" bash -euo pipefail -c '. .tileir/env.sh; . "$1"' page "$work/page.sh" >"$work/log" 2>&1 || code=$?
  [ $code = 0 ] && [ "$(head -c 4 .tileir/tile_cpp/twice.cubin)" = $'\x7fELF' ] && [ "$(grep -c "^ok: 1 output compared, 8 checks, " "$work/log")" = 2 ] ||
    { tail -n 50 "$work/log"; echo "FAILED: docs/start/tile-cpp.md"; exit 1; }
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks generated and listed documentation: PASSES.md of every pass family and OPS.md of every dialect equal TableGen's
# output, docs/design/heuristics.md equals Heuristics.def (--fix regenerates them). A DEBUG_TYPE is a pass argument or
# is listed in docs/develop/debugging.md. docs/start/tools.md has a row for each gate. docs/start has the generated
# pages of options, exit codes, variables, remarks and findings. docs/README.md lists every page. The README has the
# times of docs/measurements/build.csv.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
prefix=${LLVM_PREFIX:-/usr/lib/llvm-22}
fix=${1:-}
status=0
# compare FILE SOURCE TBLGEN-ARGUMENT...
compare() {
  local md=$1 td=$2 new
  shift 2
  new=$("$prefix/bin/mlir-tblgen" "$@" -I"$prefix/include" -I. "$td") || { status=1; return; }
  # A diagnostic computes this type; the documentation lists all alternatives.
  new=${new//'{{::mlir::cuda_tile::nameNewestFloat($_op)}}'/ or fnv8E5M3FNU}
  if [ "$fix" = --fix ]; then
    printf '%s\n' "$new" >"$md"
  elif ! diff -q <(printf '%s\n' "$new") "$md" >/dev/null 2>&1; then
    echo "$md is not what $(basename "$td") says; run tools/lint/docs.sh --fix"
    status=1
  fi
}
for td in $(git ls-files "passes/*/Passes.td"); do
  compare "$(dirname "$td")/PASSES.md" "$td" -gen-pass-doc
done
compare dialects/cuda_tile/OPS.md dialects/cuda_tile/CudaTileOps.td -gen-dialect-doc -dialect=cuda_tile
compare dialects/nv_tileaa/OPS.md dialects/nv_tileaa/NVTileAAOps.td -gen-dialect-doc -dialect=nv_tileaa -DTILEIR_ALL_OPS
compare dialects/nv_tileas/OPS.md dialects/nv_tileas/NVTileASOps.td -gen-dialect-doc -dialect=nv_tileas -DTILEIR_ALL_OPS
page=docs/design/heuristics.md
if [ "$fix" = --fix ]; then
  python3 tools/lint/heuristics.py table >$page
elif ! diff -q <(python3 tools/lint/heuristics.py table) $page >/dev/null 2>&1; then
  echo "$page is not what Heuristics.def says; run tools/lint/docs.sh --fix"
  status=1
fi
arguments=$(sed -nE 's/^### `-(.*)`$/\1/p' passes/*/PASSES.md)
while IFS=: read -r file line; do
  name=$(sed -E 's/.*"(.*)".*/\1/' <<<"$line")
  case $name in axis-info | layout-plan | schedule-analysis) ;; # analyses
  *)
    if ! grep -qxF -- "$name" <<<"$arguments"; then
      echo "$file: no pass has the argument '$name' of DEBUG_TYPE"
      status=1
    fi
    ;;
  esac
  if ! grep -qE "^\|.*\`$name\`.* \| " docs/develop/debugging.md; then
    echo "docs/develop/debugging.md: no row says what '$name' prints"
    status=1
  fi
done < <(git grep -E '^#define DEBUG_TYPE' -- 'passes/*.cpp')
while read -r name; do
  if ! grep -qE "^\|.*\`-$name\`.* \| " docs/start/tools.md; then
    echo "docs/start/tools.md: no row says what '-$name' does"
    status=1
  fi
done < <(sed -nE 's/^ *\{+"([a-z0-9-]+)", &CodegenGates::.*/\1/p' tools/driver/Gates.cpp)
/usr/bin/python3 tools/lint/references.py ${fix:+"$fix"} || status=1
for page in $(git ls-files 'docs/*/*.md' ':!docs/measurements'); do
  if ! grep -qF "](${page#docs/})" docs/README.md; then
    echo "docs/README.md: no row has $page"
    status=1
  fi
done
/usr/bin/python3 tools/lint/pipeline_options.py ${fix:+"$fix"} || status=1
/usr/bin/python3 tools/bazel/times.py check || status=1
exit $status

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# corpus.sh TRANSLATE MLIR_OPT PLUGIN FOLDER TMP: converts every kernel of FOLDER that the reader accepts for sm_80 and
# sm_100a; fails if operations of cuda_tile remain or the result does not round-trip. A kernel whose errors all name an
# unsupported feature and a remedy counts as rejected, not as failed.
translate=$1 opt="$2 --load-dialect-plugin=$3 --load-pass-plugin=$3" folder=$4 tmp=$5
mkdir -p "$tmp"
count=0 refused=0 failures=0
for file in "$folder"/*.tileirbc; do
  "$translate" --cudatilebc-to-mlir "$file" -o "$tmp/in.mlir" 2>/dev/null || continue
  chip=sm_80
  grep -q 'f8E8M0FNU\|f4E2M1FN\|multimem\|xbf16.*atomic\|atomic.*xbf16' "$tmp/in.mlir" && chip=sm_100a
  count=$((count + 1))
  if ! $opt "$tmp/in.mlir" -o "$tmp/out.mlir" --pass-pipeline="builtin.module(tileir-attach-target{compute-capability=$chip},gpu.module(convert-cudatile-to-tileaa,canonicalize))" 2>"$tmp/err"; then
    if grep -q ' error: ' "$tmp/err" && ! grep ' error: ' "$tmp/err" | grep -qv ' is not supported yet; '; then
      echo "refused: $(basename "$file"): $(sed -n 's/.* error: \(.*\); .*/\1/p' "$tmp/err" | sort -u | paste -sd, )"
      refused=$((refused + 1))
    else
      cat "$tmp/err"
      echo "failed: $file"
      failures=$((failures + 1))
    fi
  elif grep -q 'cuda_tile\|unrealized_conversion_cast' "$tmp/out.mlir"; then
    echo "not converted completely: $file"
    failures=$((failures + 1))
  elif ! $opt "$tmp/out.mlir" -o "$tmp/again.mlir" || ! cmp -s "$tmp/out.mlir" "$tmp/again.mlir"; then
    echo "does not read back: $file"
    failures=$((failures + 1))
  fi
done
[ "$count" -gt 0 ] || failures=1
echo "converted $((count - refused - failures)) kernels, $refused refused, $failures failures"

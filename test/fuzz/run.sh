#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzes the bytecode reader: builds it with AddressSanitizer and UndefinedBehaviorSanitizer and runs libFuzzer on it,
# seeded with test/data/tileirbc. Needs libclang-rt-22-dev (tools/setup/setup.sh --fuzz).
#
#   test/fuzz/run.sh [seconds] [libFuzzer options]     default 600 seconds
#
# TILEIR_FUZZ_FOLDER (default .fuzz in the checkout) keeps the corpus and what was found.
set -euo pipefail
cd "${BUILD_WORKSPACE_DIRECTORY:-$(dirname "$(readlink -f "$0")")/../..}"

seconds=600
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
llvm="${LLVM_PREFIX:-/usr/lib/llvm-22}"
folder="${TILEIR_FUZZ_FOLDER:-.fuzz}"
mkdir -p "$folder/corpus" "$folder/objects"
folder=$(readlink -f "$folder")
if ! ls "$llvm"/lib/clang/*/lib/*/libclang_rt.fuzzer*.a >/dev/null 2>&1; then
  echo "error: libFuzzer is missing; run tools/setup/setup.sh --fuzz" >&2
  exit 1
fi

# The dialect is the shared library; the reader is compiled here.
bazel build //dialects/cuda_tile:libCudaTileDialect.so
binaries=$(readlink -f bazel-bin)
sanitizers=address,undefined
flags=(-std=c++17 -fno-exceptions -O1 -g1 "-fsanitize=$sanitizers,fuzzer-no-link" -fno-sanitize-recover=all
  # LLVM is built without sanitizers; its inline code must be compiled likewise, or the two halves poison and use the
  # same memory. Its classes have no type checks either.
  "-fno-sanitize=vptr,function" -isystem "$llvm/include" -I. -I"$binaries")
nice "$llvm/bin/clang++" "${flags[@]}" -x c++-header test/fuzz/Prelude.h -o "$folder/objects/prelude.pch"
objects=()
for source in test/fuzz/ReaderFuzzer.cpp dialects/cuda_tile/bytecode/*.cpp; do
  case "$source" in *Test.cpp) continue ;; esac
  object="$folder/objects/$(basename "$source" .cpp).o"
  objects+=("$object")
  nice "$llvm/bin/clang++" "${flags[@]}" -include-pch "$folder/objects/prelude.pch" -c "$source" -o "$object"
done
"$llvm/bin/clang++" "-fsanitize=$sanitizers,fuzzer" -fno-sanitize=vptr,function "${objects[@]}" \
  "$binaries/dialects/cuda_tile/libCudaTileDialect.so" -Wl,-rpath,"$binaries/dialects/cuda_tile" \
  -L"$llvm/lib" -Wl,-rpath,"$llvm/lib" -lMLIR -lLLVM -o "$folder/reader"

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0
export UBSAN_OPTIONS=print_stacktrace=1
exec nice "$folder/reader" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=4096 \
  -artifact_prefix="$folder/" -print_final_stats=1 "$@" "$folder/corpus" test/data/tileirbc

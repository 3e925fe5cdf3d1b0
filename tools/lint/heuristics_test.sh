#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that heuristics.py finds unnamed numbers and bounds outside of the table, at their lines, and nothing else
# (MM-11).
set -euo pipefail
check="python3 $(dirname "$0")/heuristics.py"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/good.cpp" <<'END'
// 99 < 100 is a comment.
const char *text = "x < 77";
/// Rows of one instruction (PTX ISA, "wgmma").
static constexpr int64_t kMaxRows = 64;
/// Bytes that nothing compares.
static constexpr int64_t kLineBytes = 128;
SmallVector<Value, 16> values;
bool f(Type type) {
  return getStorageBits(type) == 16 || 32 < type.getIntOrFloatBitWidth() ||
         words > heuristics::tileRegisters || count >= 2 || std::min<int64_t>(40, words);
}
END
$check "$folder/good.cpp"
cat >"$folder/bad.cpp" <<'END'
static constexpr int64_t kOtherRegisters = 40;
bool f(int64_t words, int64_t threads) {
  if (words + 40 > getRegisterLimit(func, threads) || words > 200)
    return words <= 16 * threads;
  return depth == int64_t(1) << 20 ||
         bits == 24;
}
/// Slots of a pipeline.
constexpr unsigned kMaxSlots = 6, kMinSlots = 2;
END
if $check "$folder/good.cpp" "$folder/bad.cpp" >"$folder/out"; then
  echo "heuristics.py passes bad files"
  exit 1
fi
diff - <(sed -E 's/.*bad.cpp:([0-9]+):.*/\1/' "$folder/out") <<'END'
1
3
4
5
6
9
END

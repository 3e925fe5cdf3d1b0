#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that comments.sh finds comments that begin with a question, at their lines, and nothing else.
set -euo pipefail
check=$(dirname "$0")/comments.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/good.h" <<'END'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of a kernel.
//
/// Returns the size in bytes.
/// What is open has none; Whatever else has one.
int size();
/// Whatever it is, it stays.
//   ROWS(Count)
//     Rows of a table, which
//     What goes on may begin with.
END
cat >"$folder/good.py" <<'END'
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Names of things, as the user knows them.
# What they are called elsewhere does not matter.
print("# What")
END
"$check" "$folder/good.h" "$folder/good.py"
cat >"$folder/bad.h" <<'END'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values are kept.
//
/// Whether it is open.
bool open();
  /// What it holds.
  int held;
// What two functions share.
void one();
//   ROWS(Count)
//     How many rows there are.
END
cat >"$folder/bad.cpp" <<'END'
int size() {
  // What is left counts.
  return 0;
}
END
cat >"$folder/bad.mlir" <<'END'
// RUN: true
// What comes out is right.
END
cat >"$folder/bad.bazel" <<'END'
# How it is built.
END
if "$check" "$folder/good.h" "$folder"/bad.* >"$folder/out"; then
  echo "comments.sh passes bad files"
  exit 1
fi
diff - <(sed -E 's/.*bad.([a-z]+):([0-9]+):.*/\1 \2/' "$folder/out") <<'END'
bazel 1
cpp 2
h 3
h 5
h 7
h 9
h 12
mlir 2
END

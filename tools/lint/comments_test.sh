#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# comments.sh finds what begins with a question, at its line, and nothing else.
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
// What an implementation may explain as it likes.
END
"$check" "$folder/good.h"
cat >"$folder/bad.h" <<'END'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values are kept.
//
/// Whether it is open.
bool open();
  /// What it holds.
  int held;
END
if "$check" "$folder/good.h" "$folder/bad.h" >"$folder/out"; then
  echo "comments.sh passes bad.h"
  exit 1
fi
diff - <(sed -E 's/.*bad.h:([0-9]+):.*/\1/' "$folder/out") <<'END'
3
5
7
END

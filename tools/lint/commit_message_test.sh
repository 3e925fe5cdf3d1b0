#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that commit_message.sh accepts good messages and names the fault of others.
set -u
script="$(dirname "$(readlink -f "$0")")/commit_message.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
# expect CODE TEXT MESSAGE
expect() {
  local out code=0
  printf "$3" >"$dir/message"
  out=$("$script" "$dir/message" 2>&1) || code=$?
  if [ "$code" != "$1" ] || [[ "$out" != *"$2"* ]]; then
    echo "exit $code, wanted $1 with '$2', for: $3"
    echo "$out"
    status=1
  fi
}
expect 0 "" '[tileas] Price scans\n\nFault: none did.\n'
expect 0 "" "Merge branch 'rows'\n"
expect 0 "" '[tileas] Embed the PTX\n\nFault: it was lost.\n# a comment of git\n'
expect 1 "the message is empty" '# nothing\n'
expect 1 "has 73 characters" "[tileas] P$(printf 'x%.0s' {1..63})"'\n\nWhy.\n'
expect 1 "capital letter: 'price'" '[tileas] price scans\n\nWhy.\n'
expect 1 "names its area first" 'Price scans\n\nWhy.\n'
expect 1 "names its area first" 'tileas: Price scans\n\nWhy.\n'
expect 1 "no full stop" '[tileas] Price scans.\n\nWhy.\n'
expect 1 "in the imperative: 'Added'" '[tileas] Added a price\n\nWhy.\n'
expect 1 "an empty line" '[tileas] Price scans\nWhy.\n\nMore.\n'
expect 1 "the body is empty" '[tileas] Price scans\n'
expect 1 "the body is empty" '[tileas] Price scans\n\n# a comment of git\n'
exit $status

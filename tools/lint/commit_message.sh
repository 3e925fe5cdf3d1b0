#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks commit messages: `[area] Imperative subject` of at most 72 characters, an empty line, a body with the reason.
#
#   commit_message.sh FILE        the message in FILE, as git's commit-msg hook calls it
#   commit_message.sh RANGE       the messages of the commits in RANGE (main..HEAD), without merges
#
# As a hook: ln -s ../../tools/lint/commit_message.sh .git/hooks/commit-msg
set -uo pipefail
status=0
# complain PLACE TEXT
complain() {
  echo "$1: $2" >&2
  status=1
}
# check PLACE: the message on standard input.
check() {
  local place=$1 subject second body title first
  mapfile -t lines < <(sed -e '/^#/d')
  subject=${lines[0]:-} second=${lines[1]:-} body="${lines[*]:2}"
  case $subject in "Merge "* | "Revert "* | "fixup! "* | "squash! "*) return ;; esac
  title=${subject#\[*\] } first=${title%% *}
  [ -n "$subject" ] || { complain "$place" "the message is empty"; return; }
  [ ${#subject} -le 72 ] || complain "$place" "the subject has ${#subject} characters, at most 72 are shown"
  [[ $subject =~ ^\[[a-zA-Z0-9_./-]+\]\  ]] || complain "$place" "the subject names its area first: [tileas] Price scans"
  [[ $first =~ ^[A-Z] ]] || complain "$place" "the subject begins with a capital letter: '$first'"
  [[ ! $subject =~ \.$ ]] || complain "$place" "the subject is a title: no full stop at its end"
  [[ ! $first =~ (ed|ing)$ || $first =~ ^(Need|Feed|Embed|Shed|Speed|Bring|String|Ring)$ ]] ||
    complain "$place" "the subject says what the commit does, in the imperative: '$first'"
  [ -z "$second" ] || complain "$place" "an empty line separates the subject from the body"
  [ -n "${body// /}" ] || complain "$place" "the body is empty; it says fault, cause and test"
}
[ $# -eq 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
if [ -f "$1" ]; then
  check "$1" <"$1"
else
  commits=$(git rev-list --no-merges "$1") || exit 2
  for commit in $commits; do check "$(git rev-parse --short "$commit")" < <(git log -1 --format=%B "$commit"); done
fi
exit $status

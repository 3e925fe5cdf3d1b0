#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets up, builds and runs all tests that need neither a GPU nor a peer; arguments go to `bazel test`.
#
#   test/run.sh            the default test set
#   test/run.sh --peers    also the tests that compare with the closed compiler and its clients (installs them)
set -euo pipefail
cd "$(dirname "$0")/.."

filters=-gpu,-peer,-manual
setup=()
if [ "${1:-}" = --peers ]; then
  shift
  filters=-gpu,-manual
  setup=(--peers)
fi
if ! tools/setup/setup.sh "${setup[@]}"; then
  [ ${#setup[@]} -gt 0 ] || exit 1
  echo "the peers could not be installed: their tests are left out"
  filters=-gpu,-peer,-manual
  tools/setup/setup.sh
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "== building everything and running the tests"
code=0
tools/bazel/timed.sh tests "$log" test --test_tag_filters="$filters" --build_tests_only=false --keep_going --test_summary=short "$@" -- //... || code=$?
passed=$(grep -cE '^//.* PASSED in ' "$log" || true)
cached=$(grep -cE '^//.* \(cached\) PASSED in ' "$log" || true)
failed=$(grep -cE '^//.* (FAILED|TIMEOUT|NO STATUS|FLAKY)' "$log" || true)
echo "of the passed tests $cached were up to date"
# A build that fails without any failed test is a failure of its own.
if [ "$code" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
[ "$code" != 0 ] || echo "next: examples/matmul/run.sh shows a kernel at work, docs/README.md where everything is"
echo "$passed passed, $failed failed"
exit "$code"

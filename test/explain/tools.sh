# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash Sourced by the tests of this folder: puts the tools on the path, and starts tileir-explain from
# the tree.
for tool in tileir-interp tileir-run tileir-translate tileiras tileirdisasm; do PATH=$PWD/tools/$tool:$PATH; done
export PATH PYTHONDONTWRITEBYTECODE=1
if [ -x "${TILEIR_PEER_NVDISASM:-}" ]; then export TILEIR_NVDISASM=$TILEIR_PEER_NVDISASM; fi
export kernels=$PWD/test/data/perf/kernels
# Links of the sandbox lead to the tree, which has the same files.
explain() { /usr/bin/python3 tools/tileir-explain/tileir-explain.py "$@"; }
fail() { echo "FAILED: $*"; exit 1; }

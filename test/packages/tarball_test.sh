#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-1: the tarball has one folder with the same files as the other packages, under a name with the version.
set -euo pipefail
tarball=$(ls packages/tarball/*.tar.xz)
name=$(basename "$tarball" .tar.xz)
tar -xf "$tarball" -C "$TEST_TMPDIR"
[ "$(ls "$TEST_TMPDIR")" = "$name" ]
[ "$name" = "tileir-$("$TEST_TMPDIR/$name/bin/tileir-config" --version)-linux-x86_64" ]
tar -tf packages/files.tar | sort >"$TEST_TMPDIR/whole"
(cd "$TEST_TMPDIR/$name" && find . ! -type d -printf '%P\n') | sort | cmp - "$TEST_TMPDIR/whole"
"$TEST_TMPDIR/$name/bin/tileiras" --version | grep "^Build tileir-" >/dev/null

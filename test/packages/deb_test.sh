#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-7: the Debian package: its content, its control file and, if these are installed, lintian's report and a chroot in
# which it is installed, used and removed.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin # Bazel's path has no programs of the administrator: debootstrap was never found.
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/deb.XXXXXX")
trap 'umount "$work/chroot/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
package=$(realpath "$(ls packages/deb/*.deb)")
version=$(dpkg-deb --field "$package" Version)
[ "$(basename "$package")" = "tileir_${version}_amd64.deb" ] || fail "a name without the version: $package"
dpkg-deb --extract "$package" "$work/root"
[ -z "$(find "$work/root" -xtype l)" ] || fail "links that lead nowhere: $(find "$work/root" -xtype l)"
[ -z "$(find "$work/root" ! -user root)" ] || fail "files that are not root's"
[ "$("$work/root/usr/bin/tileir-config" --version)-1" = "$version" ] || fail "tileir-config says another version"
[ "$("$work/root/usr/bin/tileir-config" --plugin)" = "$work/root/usr/lib/tileir/lib/libTileIR.so" ] || fail "the plugin is elsewhere"
for program in "$work"/root/usr/bin/*; do
  "$program" --help >/dev/null 2>&1 || [ "$(basename "$program")" = tileir-nvcc ] || fail "$program --help"
done
(cd "$work/root" && dpkg-deb --ctrl-tarfile "$package" | tar -xO ./md5sums | md5sum --check --quiet) || fail "md5sums"

if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "$package" >"$work/lintian" 2>&1 || { cat "$work/lintian"; fail "lintian"; }
else
  echo "SKIPPED: no lintian; run tools/setup/setup.sh --deb"
fi

if ! command -v debootstrap >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "SKIPPED: no debootstrap, or not root; run tools/setup/setup.sh --deb"
  exit 0
fi
mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Component: main' | head -n 1)
if ! debootstrap --variant=minbase bookworm "$work/chroot" ${mirror:+"$mirror"} >"$work/log" 2>&1; then
  tail -n 5 "$work/log"
  echo "SKIPPED: debootstrap made no chroot"
  exit 0
fi
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$work/chroot" "$@"; }
find "$work/chroot" -xdev ! -type d | sort >"$work/before"
cp "$package" "$work/chroot/tmp/tileir.deb"
inside dpkg --install /tmp/tileir.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --install"; }
kernels=/usr/lib/tileir/share/tileir/examples/kernels
inside tileir-translate --mlir-to-cudatilebc $kernels/add.mlir -o /tmp/add.tileirbc
inside tileiras /tmp/add.tileirbc -o /tmp/add.ptx --gpu-name sm_90 --emit=ptx
grep -q '^\.target sm_90a' "$work/chroot/tmp/add.ptx" || fail "no PTX"
for program in tileirdisasm tileir-serialize tileir-run tileir-interp tileir-check tileir-schedule tileir-lsp-server tileir-config \
  tileir-bisect tileir-reduce; do
  inside $program --version >/dev/null || fail "$program --version"
done
inside tileir-config --check >"$work/log" || true
grep -qx "ptxas: not found" "$work/log" || { cat "$work/log"; fail "--check"; }
grep -qx "libMLIR.so.22.1: not found" "$work/log" || { cat "$work/log"; fail "--check"; }
inside dpkg --purge tileir >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --purge"; }
rm "$work"/chroot/tmp/*
find "$work/chroot" -xdev ! -type d | sort | comm -13 "$work/before" - | grep -vE '/var/(lib/dpkg|log|cache)/|/etc/ld.so.cache' >"$work/left" || true
[ ! -s "$work/left" ] || { cat "$work/left"; fail "these files are left"; }

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-7: the Debian package: its content, its control file and, if these are installed, lintian's report and a chroot in
# which it is installed, compiles a kernel to a cubin, runs it in the emulator, and is removed without a trace.
set -euo pipefail
# shellcheck source=test/packages/chroot.sh
. test/packages/chroot.sh
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/deb.XXXXXX")
CHROOT=$work/chroot
trap 'remove_chroot "$CHROOT"; rm -rf "$work"' EXIT
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

make_chroot "$CHROOT" "" || exit 0
echo "in a root of Debian $(cat "$CHROOT/etc/debian_version") with glibc $(glibc_of)"
find "$CHROOT" -xdev ! -type d | sort >"$work/before"
cp "$package" "$CHROOT/tmp/tileir.deb"
inside dpkg --install /tmp/tileir.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --install"; }
inside tileir-config --check >"$work/log" || true
grep -qx "ptxas: not found" "$work/log" || { cat "$work/log"; fail "--check"; }
grep -qx "libMLIR.so.22.1: not found" "$work/log" || { cat "$work/log"; fail "--check"; }
for program in tileirdisasm tileir-serialize tileir-run tileir-interp tileir-check tileir-schedule tileir-lsp-server tileir-config \
  tileir-bisect tileir-reduce; do
  inside $program --version >/dev/null || fail "$program --version"
done
kernels=/usr/lib/tileir/share/tileir/examples/kernels
inside tileir-translate --mlir-to-cudatilebc $kernels/add.mlir -o /tmp/add.tileirbc
inside tileiras /tmp/add.tileirbc -o /tmp/add.ptx --gpu-name sm_90 --emit=ptx
grep -q '^\.target sm_90a' "$CHROOT/tmp/add.ptx" || fail "no PTX"
# NVIDIA's toolkit, as a user of the package installs it.
if [ -x "${TILEIR_PTXAS_PATH:-}" ]; then
  toolkit=$(realpath "${TILEIR_PTXAS_PATH%/bin/ptxas}")
  mkdir -p "$CHROOT/tmp/cuda/bin" "$CHROOT/tmp/cuda/nvvm/libdevice"
  cp "$toolkit/bin/ptxas" "$CHROOT/tmp/cuda/bin/"
  cp "$toolkit"/nvvm/libdevice/*.bc "$CHROOT/tmp/cuda/nvvm/libdevice/"
  cuda() { inside env CUDA_ROOT=/tmp/cuda "$@"; }
  cuda tileiras /tmp/add.tileirbc -o /tmp/add.cubin --gpu-name sm_90
  [ "$(head -c 4 "$CHROOT/tmp/add.cubin")" = $'\x7fELF' ] || fail "no cubin"
  # Ones and ones, in the emulator.
  /usr/bin/python3 -c 'import numpy, sys; numpy.save(sys.argv[1], numpy.full(3000, 2, "f4"))' "$CHROOT/tmp/two.npy"
  arguments=(--arg 'a:f32[3000]=ones' --arg 'b:f32[3000]=ones' --arg 'c:f32[3000]=poison,expect=/tmp/two.npy' --arg n:i32=3000)
  cuda tileir-run /tmp/add.tileirbc --arch=sm_90 --grid 3 "${arguments[@]}" >"$work/log" 2>&1 || { cat "$work/log"; fail "tileir-run"; }
  grep -q "^ok: 1 output compared, 8 checks, " "$work/log" || { cat "$work/log"; fail "tileir-run compared nothing"; }
  cat "$work/log"
else
  echo "SKIPPED: no ptxas, so no cubin; run tools/setup/setup.sh"
fi
inside dpkg --purge tileir >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --purge"; }
rm -r "$CHROOT"/tmp/*
find "$CHROOT" -xdev ! -type d | sort | comm -13 "$work/before" - | grep -vE '/var/(lib/dpkg|log|cache)/|/etc/ld.so.cache' >"$work/left" || true
[ ! -s "$work/left" ] || { cat "$work/left"; fail "these files are left"; }
[ -z "$(find "$CHROOT" -xdev -name '*tileir*' -not -path '*/var/log/*')" ] || fail "a folder is left"
echo "removed without a trace"

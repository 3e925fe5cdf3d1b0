# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# A root folder of Debian 12 for tests of packages, to be sourced. TILEIR_CHROOT names a root that is there, of any
# distribution, and is copied in place of debootstrap's.
export PATH=$PATH:/usr/sbin:/sbin # Bazel's path has no programs of the administrator.

# Makes the root $1 with the packages $2 (with commas between them). Says why it is not there, and returns 1.
make_chroot() {
  if [ "$(id -u)" != 0 ]; then
    echo "SKIPPED: a chroot needs root"
    return 1
  fi
  if [ -n "${TILEIR_CHROOT:-}" ]; then
    cp -a --one-file-system "$TILEIR_CHROOT" "$1"
  elif ! command -v debootstrap >/dev/null; then
    echo "SKIPPED: no debootstrap; run tools/setup/setup.sh --deb"
    return 1
  else
    local mirror
    mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Component: main' | head -n 1)
    if ! debootstrap --variant=minbase ${2:+"--include=$2"} bookworm "$1" ${mirror:+"$mirror"} >"$1.log" 2>&1; then
      tail -n 5 "$1.log"
      echo "SKIPPED: debootstrap made no chroot"
      return 1
    fi
  fi
  mountpoint -q "$1/proc" || mount -t proc proc "$1/proc"
}

remove_chroot() { # ROOT
  umount "$1/proc" 2>/dev/null || true
  rm -rf --one-file-system "$1"
}

# Runs a command in the root CHROOT, with its environment alone.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$CHROOT" "$@"; }

# Prints the release of the root's C library.
glibc_of() { inside /lib64/ld-linux-x86-64.so.2 --version | sed -n '1s/.* \([0-9.]*[0-9]\).*/\1/p'; }

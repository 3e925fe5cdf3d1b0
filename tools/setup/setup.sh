#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the project needs, by package name, and writes .tileir/setup.bazelrc, which .bazelrc imports.
#
#   tools/setup/setup.sh           Debian packages, the pinned ptxas and libdevice, the older ptxas of the fallback tests
#   tools/setup/setup.sh --peers   also the closed compiler, nvcc, NVRTC, CMake, Triton and nvdisasm, for C++ and side-by-side runs
#   tools/setup/setup.sh --fuzz    also libFuzzer and the sanitizers, for test/fuzz
#   tools/setup/setup.sh --lint    also clang-tidy, for tools/lint/tidy.sh
#   tools/setup/setup.sh --check   changes nothing; exit 1 when something is missing
#
# TILEIR_TOOLKIT (default ~/.local/share/tileir) is the folder for what does not come from Debian.
set -euo pipefail
cd "$(dirname "$0")/../.."

toolkit="${TILEIR_TOOLKIT:-$HOME/.local/share/tileir}"
packages=(
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 clang-format-22 lld-22
  liblz4-dev libzstd-dev zlib1g-dev googletest
  bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-platforms bazel-skylib
  qemu-user gcc g++ git python3 python3-pip python3-numpy shellcheck
)
bazel_version=4.2.3
# Its name on PyPI, the folder we give it, a file that proves it is there.
pinned=(
  "nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37|cuda-13.5.37|nvidia/cu13/bin/ptxas"
  "nvidia-cuda-nvcc==13.0.88|cuda-13.0.88|nvidia/cu13/bin/ptxas"
  "ruff==0.17.6|ruff-0.17.6|bin/ruff"
)
# The same, then each variable that names something of it.
peers=(
  "nvidia-cuda-tileiras==13.5.37 nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37|peer-tileiras-13.5.37|nvidia/cu13/bin/tileiras|TILEIR_PEER_TILEIRAS=nvidia/cu13/bin/tileiras"
  "nvidia-cuda-nvdisasm==13.5.37|peer-nvdisasm-13.5.37|nvidia/cu13/bin/nvdisasm|TILEIR_PEER_NVDISASM=nvidia/cu13/bin/nvdisasm"
  "nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37 nvidia-cuda-crt==13.5.37 nvidia-cuda-runtime==13.5.37 nvidia-cuda-cccl==13.3.5.0.6|peer-nvcc-13.5.37|nvidia/cu13/include/cuda_runtime.h|TILEIR_PEER_NVCC=nvidia/cu13/bin/nvcc TILEIR_PEER_CUDART=nvidia/cu13"
  "nvidia-cuda-nvrtc==13.5.37|peer-nvrtc-13.5.37|nvidia/cu13/include/nvrtc.h|TILEIR_PEER_NVRTC=nvidia/cu13"
  "triton==3.9.0|peer-triton-3.9.0|triton/compiler/__init__.py|TILEIR_PEER_TRITON=."
  "cuda-tile==1.7.0 typing-extensions==4.15.0|peer-cutile-1.7.0|cuda/tile/__init__.py|TILEIR_PEER_CUTILE=."
)

mode=install
with_peers=false
for word in "$@"; do
  case "$word" in
  --check) mode=check ;;
  --peers) with_peers=true packages+=(cmake) ;;
  --fuzz) packages+=(libclang-rt-22-dev) ;;
  --lint) packages+=(clang-tidy-22) ;;
  -h | --help) sed -n '3,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "error: unknown option '$word'; expected --check, --peers, --fuzz or --lint" >&2; exit 2 ;;
  esac
done

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ $mode = check ]; then
    echo "error: packages are missing: ${missing[*]}; run tools/setup/setup.sh" >&2
    exit 1
  fi
  echo "installing Debian packages, about 1.5 GB, two minutes on a fast line: ${missing[*]}"
  as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
have=$(dpkg-query -W -f '${Version}' bazel-bootstrap)
case "$have" in
"$bazel_version"*) ;;
*) echo "error: bazel-bootstrap is $have, expected $bazel_version" >&2; exit 1 ;;
esac

# Installs the wheels of $1 (names) into folder $2 unless $3 is there. A half installed folder never gets the final name.
install_wheels() {
  local names="$1" folder="$toolkit/$2" proof="$3"
  [ -e "$folder/$proof" ] && return 0
  if [ $mode = check ]; then
    echo "error: '$folder' is missing; run tools/setup/setup.sh" >&2
    exit 1
  fi
  echo "installing from PyPI into $folder: $names"
  mkdir -p "$toolkit"
  rm -rf "$folder.part" "$folder"
  # shellcheck disable=SC2086  # the names are words
  /usr/bin/python3 -m pip install --quiet --root-user-action ignore --disable-pip-version-check --no-deps --target "$folder.part" $names
  chmod -R u+w,a+rX "$folder.part"
  chmod +x "$folder.part"/nvidia/cu13/{,nvvm/}bin/* 2>/dev/null || true
  mv "$folder.part" "$folder"
}
for entry in "${pinned[@]}"; do
  IFS='|' read -r names folder proof <<<"$entry"
  install_wheels "$names" "$folder" "$proof"
done
variables=(
  "TILEIR_PTXAS_PATH=$toolkit/cuda-13.5.37/nvidia/cu13/bin/ptxas"
  "TILEIR_FALLBACK_PTXAS_PATH=$toolkit/cuda-13.0.88/nvidia/cu13/bin/ptxas"
)
for entry in "${peers[@]}"; do
  IFS='|' read -r names folder proof named <<<"$entry"
  if $with_peers; then install_wheels "$names" "$folder" "$proof"; fi
  [ -e "$toolkit/$folder/$proof" ] || continue
  for variable in $named; do
    path=$toolkit/$folder/${variable#*=}
    variables+=("${variable%%=*}=${path%/.}")
  done
done

[ $mode = check ] && exit 0
mkdir -p .tileir
{
  echo "# Written by tools/setup/setup.sh."
  echo "test --test_env=TILEIR_RUFF_PATH=$toolkit/ruff-0.17.6/bin/ruff"
  printf 'test --test_env=%s\n' "${variables[@]}"
} >.tileir/setup.bazelrc.part
mv .tileir/setup.bazelrc.part .tileir/setup.bazelrc
{
  echo "# Written by tools/setup/setup.sh: \`. .tileir/env.sh\` before calling the tools by hand."
  printf 'export %s\n' "${variables[@]}"
  # The toolkit of tileir-nvcc, unless the user has chosen one.
  if [ -e "$toolkit/peer-nvcc-13.5.37/nvidia/cu13/bin/nvcc" ]; then
    echo "export TILEIR_NVCC=\${TILEIR_NVCC:-$toolkit/peer-nvcc-13.5.37/nvidia/cu13/bin/nvcc}"
  fi
} >.tileir/env.sh

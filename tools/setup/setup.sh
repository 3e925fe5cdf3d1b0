#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the project needs, by package name, and writes .tileir/setup.bazelrc, which .bazelrc imports.
#
#   tools/setup/setup.sh           Debian packages, the pinned ptxas and libdevice, the older ptxas of the fallback tests
#   tools/setup/setup.sh --peers   also the closed compiler, nvcc, NVRTC, Triton and nvdisasm, for C++ and side-by-side runs
#   tools/setup/setup.sh --fuzz    also libFuzzer and the sanitizers, for test/fuzz
#   tools/setup/setup.sh --deb     also debootstrap and lintian, for the Debian package in test/packages
#   tools/setup/setup.sh --lint    also clang-tidy, for tools/lint/tidy.sh
#   tools/setup/setup.sh --remote  also BuildGrid, the server of //test/bazel:remote-test
#   tools/setup/setup.sh --check   changes nothing; exit 1 when something is missing
#
# TILEIR_TOOLKIT (default ~/.local/share/tileir) is the folder for what does not come from Debian.
set -euo pipefail
cd "$(dirname "$0")/../.."

# TILEIR_TOOLKIT: folder for what set-up installs from PyPI, else `~/.local/share/tileir`; the last place where `tileiras`
# looks for ptxas and libdevice, after what pip installed beside the wheel, unless what it found is older than 13.0.
toolkit="${TILEIR_TOOLKIT:-$HOME/.local/share/tileir}"
packages=(
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 clang-format-22 lld-22
  liblz4-dev libzstd-dev zlib1g-dev googletest nlohmann-json3-dev libcli11-dev
  bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-platforms bazel-skylib
  qemu-user gcc g++ cmake pkg-config chrpath git python3 python3-pip python3-venv python3-wheel python3-numpy shellcheck codespell
)
bazel_version=4.2.3
# Its requirement on PyPI, our folder for it, and a file that proves it is there.
pinned=(
  "nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37|cuda-13.5.37|nvidia/cu13/bin/ptxas"
  "nvidia-cuda-nvcc==13.0.88|cuda-13.0.88|nvidia/cu13/bin/ptxas"
  "ruff==0.17.6|ruff-0.17.6|bin/ruff"
  "starlark-pyo3==2026.1.3|starlark-2026.1.3|starlark/__init__.py"
)
# BuildGrid and its dependencies. Its releases after 0.2 do not support SQLite as a queue.
buildgrid="buildgrid==0.2.53 aiohappyeyeballs==2.7.1 aiohttp==3.14.5 aiosignal==1.4.0 annotated-types==0.8.0 attrs==26.1.0
  boto3==1.44.8 botocore==1.44.8 buildgrid-metering-client==0.0.4 cachetools==8.0.2 certifi==2026.10.19.post1 cffi==2.1.1
  charset-normalizer==3.5.3 click==8.5.1 cryptography==50.0.2 dnspython==2.9.2 frozenlist==1.8.0 grpcio==1.85.3
  grpcio-health-checking==1.85.1 grpcio-reflection==1.85.1 idna==3.20 importlib-resources==7.1.0 janus==2.0.0 jinja2==3.1.6
  jmespath==1.1.0 jsonschema==4.26.0 jsonschema-specifications==2025.9.1 lark-parser==0.12.0 markupsafe==3.0.4 mmh3==5.3.1
  multidict==7.2.1 propcache==0.5.4 protobuf==7.36.2 pycurl==7.49.0 pydantic==2.14.4 pydantic-core==2.50.5 pyjwt==2.15.1
  python-dateutil==2.9.0.post0 pyyaml==6.0.4 referencing==0.37.0 requests==2.34.2 rpds-py==2026.9.1 s3transfer==0.19.3
  sentry-sdk==2.75.0 six==1.17.0 sqlalchemy==2.1.9 tenacity==9.2.1 typing-extensions==4.16.0 typing-inspection==0.4.5
  urllib3==2.8.0 yarl==1.25.1"
# As above, followed by variables that name parts of it.
peers=(
  "nvidia-cuda-tileiras==13.5.37 nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37|peer-tileiras-13.5.37|nvidia/cu13/bin/tileiras|TILEIR_PEER_TILEIRAS=nvidia/cu13/bin/tileiras"
  "nvidia-cuda-nvdisasm==13.5.37|peer-nvdisasm-13.5.37|nvidia/cu13/bin/nvdisasm|TILEIR_PEER_NVDISASM=nvidia/cu13/bin/nvdisasm"
  "nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37 nvidia-cuda-crt==13.5.37 nvidia-cuda-runtime==13.5.37 nvidia-cuda-cccl==13.3.5.0.6|peer-nvcc-13.5.37|nvidia/cu13/include/cuda_runtime.h|TILEIR_PEER_NVCC=nvidia/cu13/bin/nvcc TILEIR_PEER_CUDART=nvidia/cu13"
  "nvidia-cuda-nvrtc==13.5.37|peer-nvrtc-13.5.37|nvidia/cu13/include/nvrtc.h|TILEIR_PEER_NVRTC=nvidia/cu13"
  "triton==3.9.0|peer-triton-3.9.0|triton/compiler/__init__.py|TILEIR_PEER_TRITON=."
  "cuda-tile==1.5.0 typing-extensions==4.15.0|peer-cutile-1.5.0|cuda/tile/__init__.py|"
  "cuda-tile==1.6.0 typing-extensions==4.15.0|peer-cutile-1.6.0|cuda/tile/__init__.py|"
  "cuda-tile==1.7.0 typing-extensions==4.15.0|peer-cutile-1.7.0|cuda/tile/__init__.py|TILEIR_PEER_CUTILE=."
)

mode=install
with_peers=false
with_remote=false
options=
for word in "$@"; do
  [ "$word" = --check ] || options+=" $word"
  case "$word" in
  --check) mode=check ;;
  --peers) with_peers=true ;;
  --remote) with_remote=true ;;
  --fuzz) packages+=(libclang-rt-22-dev) ;;
  --lint) packages+=(clang-tidy-22) ;;
  --deb) packages+=(debootstrap lintian) ;;
  -h | --help) sed -n '3,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "error: unknown option '$word'; expected --check, --peers, --remote, --fuzz, --deb or --lint" >&2; exit 2 ;;
  esac
done

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ $mode = check ]; then
    echo "error: packages are missing: ${missing[*]}; run tools/setup/setup.sh$options" >&2
    exit 1
  fi
  cost=
  [[ " ${missing[*]} " != *" llvm-22-dev "* ]] || cost=", about 1.5 GB, two minutes on a fast line"
  echo "installing Debian packages$cost: ${missing[*]}"
  as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
have=$(dpkg-query -W -f '${Version}' bazel-bootstrap)
case "$have" in
"$bazel_version"*) ;;
*) echo "error: bazel-bootstrap is $have, expected $bazel_version" >&2; exit 1 ;;
esac

# Installs the wheels of $1 (names) into folder $2 unless $3 exists. A partial installation never gets the final name.
install_wheels() {
  local names="$1" folder="$toolkit/$2" proof="$3"
  [ -e "$folder/$proof" ] && return 0
  if [ $mode = check ]; then
    echo "error: '$folder' is missing; run tools/setup/setup.sh$options" >&2
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
if $with_remote; then install_wheels "$buildgrid" buildgrid-0.2.53 buildgrid/__init__.py; fi

[ $mode = check ] && exit 0
mkdir -p .tileir
{
  echo "# Written by tools/setup/setup.sh."
  echo "test --test_env=TILEIR_RUFF_PATH=$toolkit/ruff-0.17.6/bin/ruff"
  echo "test --test_env=TILEIR_STARLARK_PATH=$toolkit/starlark-2026.1.3"
  if [ -e "$toolkit/buildgrid-0.2.53/buildgrid/__init__.py" ]; then
    echo "test --test_env=TILEIR_BUILDGRID_PATH=$toolkit/buildgrid-0.2.53"
  fi
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

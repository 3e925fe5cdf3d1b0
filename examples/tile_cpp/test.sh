#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs run.sh on the tools of this build; then the same kernels from the object, and the output of NVRTC.
set -euo pipefail
if [ ! -x "${TILEIR_PEER_NVCC:-}" ] || ! command -v cmake >/dev/null; then
  echo "SKIPPED: no nvcc or no cmake; run tools/setup/setup.sh --peers"
  exit 0
fi
folder=$(dirname "$0")
out=$TEST_TMPDIR/tile_cpp
unset CUDA_ROOT CUDA_HOME CUDA_PATH
export TILEIR_NVCC=$TILEIR_PEER_NVCC XDG_CACHE_HOME=$TEST_TMPDIR/cache
for gpu in sm_90 sm_120; do
  TILEIR_BIN=$PWD bash "$folder/run.sh" "$gpu"
done

# nvcc calls this compiler.
nvcc=$(tools/tileir-config/tileir-config --nvcc)
[ "$(realpath "${nvcc%/*}/tileiras")" = "$(realpath tools/tileiras/tileiras)" ]
object=$(find "$out" -name 'matmul.cu.o')
/usr/bin/python3 "$folder/make_cases.py" "$object" "$out"
run() { tools/tileir-run/tileir-run "$out/$1.json" "${@:2}"; }
run multiply --arch=sm_90
run addBias --arch=sm_120
# A newer GPU runs the kernel of an older GPU; an older one does not.
run addBias --arch=sm_100
run multiply --arch=sm_103
expect() {
  local text=$1
  shift
  ! "$@" >"$out/shown" 2>&1 || { echo "FAILED: '$*' succeeded"; exit 1; }
  grep -qF -- "$text" "$out/shown" || { cat "$out/shown"; exit 1; }
}
expect "holds no PTX or Tile IR that runs on sm_80 with entry 'multiply'; it has PTX for sm_90" run multiply --arch=sm_80
expect "it has images for several GPUs" run multiply
sed -i 's/"entry": "multiply"/"entry": "multipl"/' "$out/multiply.json"
expect "holds no PTX or Tile IR that runs on sm_90 with entry 'multipl'" run multiply --arch=sm_90
# Machine code alone, and every compression.
for mode in speed size none; do
  "$nvcc" -ccbin g++ --enable-tile -std=c++20 -arch=sm_90 -compress-mode=$mode -c "$folder/matmul.cu" -o "$out/$mode.o"
  /usr/bin/python3 "$folder/make_cases.py" "$out/$mode.o" "$out"
  run multiply
  run addBias
done
"$nvcc" -ccbin g++ --enable-tile -std=c++20 -gencode arch=compute_90,code=sm_90 -c "$folder/matmul.cu" -o "$out/code.o"
/usr/bin/python3 "$folder/make_cases.py" "$out/code.o" "$out"
expect "it has machine code for sm_90; nvcc embeds them where code= names compute_NN, too" run multiply --arch=sm_90
# Bytecode under nvcc's name for it.
tools/tileir-nvcc/tileir-nvcc -ccbin g++ --enable-tile -std=c++20 -arch=sm_90 --tilebc --tile-only "$folder/matmul.cu" -o "$out/k.tilebc"
/usr/bin/python3 "$folder/make_cases.py" "$out/k.tilebc" "$out"
run multiply --arch=sm_90
run multiply --arch=sm_80

if [ -e "${TILEIR_PEER_NVRTC:-/nowhere}/include/nvrtc.h" ]; then
  g++ -std=c++17 -Wall -Werror "$folder/nvrtc.cpp" -I"$TILEIR_PEER_NVRTC/include" -Itools/driver "$TILEIR_PEER_NVRTC/lib/libnvrtc.so.13" \
    tools/driver/libTileIRCompile.so -Wl,-rpath,"$TILEIR_PEER_NVRTC/lib:$PWD/tools/driver" -o "$out/nvrtc"
  (cd "$out" && ./nvrtc sm_90 "$(dirname "$TILEIR_PEER_NVCC")/../include")
  [ "$(head -c 4 "$out/twice.cubin" | tail -c 3)" = ELF ]
  /usr/bin/python3 - "$out" <<'EOF'
import json
import sys
import numpy as np
x = np.arange(4096, dtype=np.float32)
np.save(sys.argv[1] + "/x.npy", x)
np.save(sys.argv[1] + "/y.npy", x + x)
with open(sys.argv[1] + "/twice.json", "w") as file:
    json.dump({"kernel": "twice.tilebc", "entry": "twice", "grid": [16], "args": [
        {"name": "x", "dtype": "f32", "shape": [4096], "init": "@x.npy"},
        {"name": "y", "dtype": "f32", "shape": [4096], "init": "poison", "output": True, "expect": "y.npy"}]}, file)
EOF
  run twice --arch=sm_90
else
  echo "SKIPPED: no NVRTC; run tools/setup/setup.sh --peers"
fi
echo ok

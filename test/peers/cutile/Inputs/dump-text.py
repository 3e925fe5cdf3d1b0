# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dump-text.py FOLDER TILEIRAS TILEIRDISASM: checks that the package logs a kernel's text during the compilation."""
import os
import sys

folder, *tools = sys.argv[1:]
os.makedirs(f"{folder}/bin")
os.makedirs(f"{folder}/tmp")
for tool in tools:
    os.symlink(tool, f"{folder}/bin/{os.path.basename(tool)}")
os.environ["PATH"] = f"{folder}/bin:" + os.environ["PATH"]
# Other runs use the default places of its cache and of temporary files.
os.environ["CUDA_TILE_TEMP_DIR"] = f"{folder}/tmp"
os.environ["CUDA_TILE_CACHE_DIR"] = f"{folder}/cache"
os.environ["CUDA_TILE_LOGS"] = "TILEIR"
sys.path.insert(1, os.environ["TILEIR_PEER_CUTILE"])

from cuda.tile.compilation import export_kernel  # noqa: E402

from kernels import CASES  # noqa: E402

kernel, signatures = CASES["transpose"]
export_kernel(kernel, signatures[:1], f"{folder}/transpose.cubin", gpu_code="sm_90", output_format="cubin")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The path of NVIDIA's disassembler."""
import glob
import os
import shutil
import sysconfig
from typing import Optional


def find_nvdisasm() -> Optional[str]:
    """The path of nvdisasm: of the environment, on the path, of a CUDA installation, or as pip installs it; None without one."""
    # TILEIR_NVDISASM: a path = this `nvdisasm` shows machine code.
    places = [os.environ.get("TILEIR_NVDISASM", ""), shutil.which("nvdisasm") or ""]
    roots = [os.environ.get(name, "") for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    places += [os.path.join(root, "bin/nvdisasm") for root in roots if root]
    # The wheel is in the same site-packages as NVIDIA's wheels.
    for folder in (os.path.dirname(os.path.dirname(os.path.realpath(__file__))), sysconfig.get_path("purelib")):
        places += sorted(glob.glob(os.path.join(folder, "nvidia/*/bin/nvdisasm")))
    # TILEIR_PEER_NVDISASM: a path = this `nvdisasm` shows machine code where no other is found.
    places.append(os.environ.get("TILEIR_PEER_NVDISASM", ""))
    return next((p for p in places if p and os.path.isfile(p) and os.access(p, os.X_OK)), None)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m tileir [OPTIONS] SCRIPT.py [ARGUMENTS]`: runs a script of cuTile, as it is, on an emulated GPU."""
import argparse
import os
import runpy
import sys
from typing import List, Optional

from . import _emulate, _run
from ._compile import GPUS


def main(arguments: Optional[List[str]] = None) -> int:
    """The program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tileir", description="Run a script of cuTile on an emulated GPU. Findings are exceptions.")
    parser.add_argument("--gpu", default=os.environ.get("TILEIR_EMULATE") or "sm_90", help=f"{', '.join(GPUS)} and others (TILEIR_EMULATE, else sm_90)")
    parser.add_argument("--seed", type=int, help="of the order of warps and of asynchronous work")
    parser.add_argument("--checks", default="all", help=f"all, none, or a list of {', '.join(_run.CHECKS)}")
    parser.add_argument("--oracle", action="store_true", help="run the interpreter as well, and compare")
    parser.add_argument("-m", dest="module", action="store_true", help="SCRIPT is the name of a module, as 'pytest'")
    parser.add_argument("script", metavar="SCRIPT")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENTS")
    options = parser.parse_args(arguments)
    try:
        _run.check_list(options.checks)
    except ValueError as error:
        parser.error(str(error))
    if not options.module and not os.path.exists(options.script):
        parser.error(f"no script '{options.script}'; -m takes the name of a module")
    # Programs that the script starts, and that import tileir, emulate the same.
    os.environ["TILEIR_EMULATE"] = options.gpu
    _emulate.emulate(options.gpu, seed=options.seed, checks=options.checks, oracle=options.oracle).start()
    sys.argv = [options.script, *options.arguments]
    if options.module:
        sys.path.insert(0, os.getcwd())
        runpy.run_module(options.script, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(options.script)))
        runpy.run_path(options.script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of gemm.py, rows.py and shapes.py and runs their PTX against NumPy's answers, under every check.

    programs.py GPU [--set=few|all] [--only=TEXT] [--keep=DIR]      GPU: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_103a, sm_120a

TILEIR_PEER_TRITON is the folder that holds the package (set-up with --peers installs it).
"""
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True

SCHEDULES = (["--async=early", "--seed=1"], ["--async=late", "--seed=2"], ["--async=random", "--seed=3"])
# Programs that once caused a false alarm, or that take locks.
FEW = ("gemm_f16_acc16", "gemm_tma_f16_3", "scaled_e4m3_e2m1", "split_k_locks", "stream_k", "variance",
       "attention_causal_128", "chained", "queue", "descriptors")


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    package = os.environ.get("TILEIR_PEER_TRITON", "")
    if not os.path.isdir(os.path.join(package, "triton")):
        print("SKIPPED: no Triton; run tools/setup/setup.sh --peers")
        return 0
    work = options.get("keep") or tempfile.mkdtemp()
    os.environ["TRITON_CACHE_DIR"] = os.path.join(work, "cache")
    sys.path.insert(0, package)
    import gemm
    import harness
    import rows
    import shapes

    if len(words) != 1 or words[0] not in harness.GPUS:
        raise SystemExit(__doc__)
    gpu = words[0]
    failures = count = 0
    for module in (gemm, rows, shapes):
        for case in module.cases():
            if options.get("only", "") not in case.name or case.gpus and not case.gpus(gpu):
                continue
            if options.get("set") == "few" and case.name not in FEW:
                continue
            path, target = harness.write_case(work, case, harness.compile_case(case, gpu), gpu)
            for schedule in SCHEDULES:
                count += 1
                try:
                    status, message = harness.rawcase.run(path, "--arch=" + target, *schedule, timeout=300)
                except subprocess.TimeoutExpired:
                    status, message = -1, "timed out"
                if status:
                    failures += 1
                    print("FAILED: %s, %s %s: status %d\n%s" % (case.name, target, schedule, status, message[:2000]),
                          flush=True)
                    break
    if "keep" not in options:
        shutil.rmtree(work)
    print("Triton, %s: %d runs, %d failures" % (gpu, count, failures))
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())

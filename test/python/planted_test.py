# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""planted_test.py GPU...: PK-11, a planted fault in each of four scripts of examples/python ends them at its Python line."""
import os
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(os.environ["TEST_ROOT"], "examples/python")

# Script, name of the exception, a line of the script, its replacement; FAULT marks the line to be named.
PLANTED = [
    ("split_k", "RaceError", "ct.atomic_add(c, (rows[:, None], columns[None, :]), acc)", ["ct.store(c, (i, j), acc)  # FAULT"]),
    ("moe_gather", "BoundsError", "rows = ct.gather(x, (token[:, None], columns), padding_value=0)",
     ["rows = ct.gather(x, (token[:, None], columns), check_bounds=False)  # FAULT"]),
    ("scan", "UninitializedError", "before = ct.sum(ct.where(numbers < i, ct.load(totals, (0,), (tiles,), padding_mode=ct.PaddingMode.ZERO), 0))",
     ["sums = ct.load(totals, (0,), (tiles,), padding_mode=ct.PaddingMode.ZERO)  # FAULT", "before = ct.sum(ct.where(numbers < i, sums, 0))"]),
    ("vector_add", "DeadlockError", "i = ct.bid(0)", ["i = ct.bid(0)", "while ct.atomic_add(out, 0, 0.0) != 1.0:  # FAULT", "    pass"]),
]
# Changes beside the fault: `totals` is never written; `out` holds the flag that everything waits for.
ALSO = {
    "scan": ("    ct.store(totals, (i,), ct.sum(t, axis=0, keepdims=True))\n", ""),
    "vector_add": ("out = cp.empty_like(a)", "out = cp.zeros_like(a)"),
}


def plant(name, line, faults):
    """Returns the script with the fault, and the number of its line."""
    text = (folder / f"{name}.py").read_text(encoding="utf-8")
    for old, new in [ALSO.get(name, ("", "")), (line, ("\n" + " " * 4).join(faults))]:
        assert old in text, f"{name}.py has no `{old}` any more"
        text = text.replace(old, new, 1) if old else text
    return text, next(k for k, one in enumerate(text.splitlines(), 1) if "# FAULT" in one)


failed = 0
with tempfile.TemporaryDirectory() as work:
    pathlib.Path(work, "common.py").write_text((folder / "common.py").read_text(encoding="utf-8"), encoding="utf-8")
    for name, error, line, faults in PLANTED:
        text, at = plant(name, line, faults)
        script = pathlib.Path(work, f"{name}.py")
        script.write_text(text, encoding="utf-8")
        for gpu in sys.argv[1:]:
            done = subprocess.run([sys.executable, "-m", "tileir", script], env=dict(os.environ, TILEIR_EMULATE=gpu), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if done.returncode == 0 or f"{error}: {script}:{at}: " not in done.stdout:
                failed += 1
                print(f"{name} on {gpu}: no {error} at line {at}:\n{done.stdout}")
count = len(PLANTED) * len(sys.argv[1:])
print(f"{count - failed} passed, {failed} failed")
sys.exit(bool(failed))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""side-by-side.py FOLDER TILEIRAS BYTECODE: compares how the closed program ($TILEIR_PEER_TILEIRAS) and ours report the
same faults."""
import os
import signal
import subprocess
import sys
import time

folder, ours, source = sys.argv[1:]
closed = os.path.realpath(os.environ["TILEIR_PEER_TILEIRAS"])
root = f"{folder}/root"
os.makedirs(f"{root}/bin")
for part in ("lib", "lib64", "nvvm"):
    if os.path.exists(f"{os.path.dirname(os.path.dirname(closed))}/{part}"):
        os.symlink(f"{os.path.dirname(os.path.dirname(closed))}/{part}", f"{root}/{part}")
clean = {key: value for key, value in os.environ.items() if not key.startswith(("CUDA_", "TILEIR_"))}
out, tmp = f"{folder}/out", f"{folder}/tmp"
os.makedirs(tmp)


def standin(script):
    """Returns the assembler of both; `$out` is the path of the product."""
    with open(f"{root}/bin/ptxas", "w") as f:
        f.write("#!/bin/sh\nfor w in \"$@\"; do [ \"$w\" = --version ] && exit 0; [ \"$p\" = -o ] && out=$w; p=$w; done\n" + script + "\n")
    os.chmod(f"{root}/bin/ptxas", 0o755)


def both(*arguments, output=out, environment=None, **more):
    results = []
    for tool in (closed, ours):
        if output == out:
            open(out, "wb").write(b"old")
        env = {**clean, "CUDA_ROOT": root, "TMPDIR": tmp, **(environment or {})}
        results.append(subprocess.run([tool, source, "-o", output, "--gpu-name", "sm_100", *arguments], env=env,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more))
        results[-1].content = open(out, "rb").read()
    return results


def report(what, judge, results):
    print(f"{what}: {', '.join(judge(result) for result in results)}", flush=True)


standin("echo 'ptxas fatal   : because' >&2; exit 255")
report("text of ptxas", lambda r: "shown" if b"because" in r.stderr else "swallowed", both())
standin("echo garbage > \"$out\"")
report("garbage for a cubin", lambda r: "refused" if r.returncode and r.content == b"old" else "accepted", both())
standin(": > \"$out\"")
report("empty cubin", lambda r: "refused" if r.returncode and r.content == b"old" else "accepted", both())
standin("printf '\\177ELFx' > \"$out\"")
report("unwritable output", lambda r: "explained" if b"cannot write" in r.stderr else "silent" if not r.stderr else "?",
       both(output=f"{folder}/none/out"))
report("wrong toolkit root", lambda r: "works" if not r.returncode else
       "unexplained" if r.stderr == b"error: failed to compile Tile IR program\n" else "?",
       both(environment=dict(CUDA_ROOT=f"{folder}/nowhere", PATH=f"{root}/bin:/usr/bin:/bin")))

started = f"{folder}/started"
standin(f"echo $$ > {started}.part; mv {started}.part {started}; exec sleep 60")
for number in (signal.SIGKILL, signal.SIGTERM):
    results = []
    for tool in (closed, ours):
        run = subprocess.Popen([tool, source, "-o", out, "--gpu-name", "sm_100"], stderr=subprocess.DEVNULL,
                               env=dict(clean, CUDA_ROOT=root, TMPDIR=tmp))
        while not os.path.exists(started):
            time.sleep(0.01)
        child = int(open(started).read())
        os.remove(started)
        run.send_signal(number)
        run.wait()
        deadline = time.monotonic() + 2
        alive = True
        while alive and time.monotonic() < deadline:
            try:
                alive = open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
            except OSError:
                alive = False
            time.sleep(0.02)
        files = []
        for _base, _folders, names in os.walk(tmp):
            files += names
        results.append((alive, len(files), len(os.listdir(tmp))))
        if alive:
            os.kill(child, signal.SIGKILL)
        subprocess.run(["rm", "-rf", tmp])
        os.makedirs(tmp)
    report(f"killed by {number.name}", lambda r: "leaves nothing" if r == (False, 0, 0) else
           f"leaves {'ptxas and ' if r[0] else ''}{r[1]} files", results)

waits = []
for tool, extra in ((closed, []), (ours, ["--tool-timeout=0.5"])):
    run = subprocess.Popen([tool, source, "-o", out, "--gpu-name", "sm_100", *extra], stderr=subprocess.DEVNULL,
                           env=dict(clean, CUDA_ROOT=root, TMPDIR=tmp))
    while not os.path.exists(started):
        time.sleep(0.01)
    child = int(open(started).read())
    os.remove(started)
    try:
        waits.append("ends after --tool-timeout" if run.wait(timeout=5) == 5 else "?")
    except subprocess.TimeoutExpired:
        waits.append("waits")
        os.kill(child, signal.SIGKILL)
        run.wait()
report("hanging ptxas", str, waits)

standin("printf '\\177ELFx' > \"$out\"")
report("remarks with -o -", lambda r: "on standard error" if r.stdout == b"\x7fELFx" else
       "mixed with the cubin" if r.stdout.replace(b"\x7fELFx", b"") else "?", both("--remarks=all", output="-"))
report("full device", lambda r: "explained" if r.stderr.startswith(b"error: cannot write") else r.stderr.split(b":")[0].decode(),
       both(output="/dev/full"))

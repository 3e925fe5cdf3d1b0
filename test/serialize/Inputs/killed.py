# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a run at random moments: killed.py FOLDER COUNT SEED PTXAS TOOL ARGUMENTS...

Each run has its own temporary folder and output. After a kill the folder must become empty, no process with the
run's mark may be left, and the output is either absent or complete."""
import os
import random
import signal
import subprocess
import sys
import time

from processes import marked

folder, count, seed, ptxas = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
command = sys.argv[5:]
random.seed(seed)
print(f"seed {seed}")
signals = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


for i in range(count):
    tmp, output = f"{folder}/tmp{i}", f"{folder}/out{i}"
    os.makedirs(tmp)
    mark = f"TILEIR_KILL_TEST={os.getpid()}-{i}"
    env = dict(os.environ, TMPDIR=tmp, TILEIR_PTXAS_PATH=ptxas, STANDIN_SLEEP=random.choice(("0", "0.05", "30")))
    env[mark.split("=")[0]] = mark.split("=")[1]
    # A job in the background of a shell ignores the interrupt, and so would the tool.
    run = subprocess.Popen(command + ["-o", output], env=env, stderr=subprocess.DEVNULL, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(random.random() * 0.15)
    how = random.choice(signals)
    if i % 2:
        os.killpg(run.pid, how)  # the tool's whole group
    else:
        run.send_signal(how)
    status = run.wait()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and (os.listdir(tmp) or marked(mark)):
        time.sleep(0.01)
    if os.listdir(tmp) or marked(mark):
        sys.exit(f"run {i}, {how!r}: left {os.listdir(tmp)} and processes {marked(mark)}")
    if status not in (0, -how):
        sys.exit(f"run {i}, {how!r}: status {status}")
    if os.path.exists(output) and open(output, "rb").read() != b"\x7fELFx":
        sys.exit(f"run {i}, {how!r}: output is incomplete")
    if [name for name in os.listdir(folder) if name.startswith(".")]:
        sys.exit(f"run {i}, {how!r}: a temporary file beside the output is left")

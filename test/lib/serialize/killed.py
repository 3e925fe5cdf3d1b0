# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a run at random moments: killed.py FOLDER COUNT SEED PTXAS TOOL ARGUMENTS...

Each run has its own temporary folder and output. After a kill the folder must become empty, no process with the
run's mark may be left, and the output is either as it was or complete. Every tenth kill is sent to all processes of the
job, or stops all of them before the tool is ended."""
import os
import random
import resource
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
everyone = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP)
to_all = 0


def prepare():
    # A background job of a shell, or one under nohup, ignores some signals, and so would the tool.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def send_to_all(mark, number):
    for pid in random.sample(found := marked(mark), len(found)):
        try:
            os.kill(int(pid), number)
        except OSError:
            pass


for i in range(count):
    tmp, output = f"{folder}/tmp{i}", f"{folder}/out{i}"
    os.makedirs(tmp)
    if old := i % 3 == 0:
        open(output, "wb").write(b"old")
    mark = f"TILEIR_KILL_TEST={os.getpid()}-{i}"
    env = dict(os.environ, TMPDIR=tmp, TILEIR_PTXAS_PATH=ptxas, STANDIN_SLEEP=random.choice(("0", "0.05", "30")))
    env[mark.split("=")[0]] = mark.split("=")[1]
    run = subprocess.Popen(command + ["-o", output], env=env, stderr=subprocess.DEVNULL, start_new_session=True,
                           preexec_fn=prepare)
    time.sleep(random.random() * 0.15)
    how = random.choice(signals)
    if i % 10 == 9:
        to_all += 1
        how = random.choice(everyone)
        send_to_all(mark, how)
        if how == signal.SIGTSTP:
            time.sleep(0.01)
            how = signal.SIGKILL
            run.send_signal(how)
    elif i % 2:
        os.killpg(run.pid, how)  # the tool's whole group
    else:
        run.send_signal(how)
    status = run.wait()
    # On a busy machine the guard waits for a processor, too.
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (os.listdir(tmp) or marked(mark)):
        time.sleep(0.01)
    if os.listdir(tmp) or marked(mark):
        sys.exit(f"run {i}, {how!r}: left {os.listdir(tmp)} and processes {marked(mark)}")
    # The signal may reach the assembler a moment before the tool, which then reports the failure.
    if status not in ((0, -how, 5) if i % 10 == 9 else (0, -how)):
        sys.exit(f"run {i}, {how!r}: status {status}")
    content = open(output, "rb").read() if os.path.exists(output) else None
    if content not in (b"old" if old else None, b"\x7fELFx"):
        sys.exit(f"run {i}, {how!r}: output is {content!r}")
    if [name for name in os.listdir(folder) if name.startswith(".")]:
        sys.exit(f"run {i}, {how!r}: a temporary file beside the output is left")
print(f"{count} kills, {to_all} of them sent to all processes of the job")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the tool when ptxas misbehaves: faults.py FOLDER PTXAS GROUP CODE LAST-LINE INPUT TOOL ARGUMENTS...

Every fault must end with the documented status and text, leave the output unchanged, and leave no process and no
temporary file. CODE is the tool's exit code for a failed ptxas, LAST-LINE the line after its own text (empty: none)."""
import errno
import os
import resource
import signal
import subprocess
import sys
import time

from processes import marked

folder, ptxas, group, code, last, source = sys.argv[1:7]
tool = sys.argv[7:]
code = int(code)
tmp, output = f"{folder}/tmp", f"{folder}/out"
os.makedirs(tmp, exist_ok=True)
elf = f"{folder}/elf"
open(elf, "wb").write(b"\x7fELFx")
os.chdir(folder)
runs = 0

SIGNALS = {
    "HUP": "Hangup", "INT": "Interrupt", "QUIT": "Quit", "ILL": "Illegal instruction", "TRAP": "Trace/breakpoint trap",
    "ABRT": "Aborted", "BUS": "Bus error", "FPE": "Floating point exception", "KILL": "Killed",
    "SEGV": "Segmentation fault", "PIPE": "Broken pipe", "ALRM": "Alarm clock", "TERM": "Terminated",
    "XCPU": "CPU time limit exceeded", "XFSZ": "File size limit exceeded", "SYS": "Bad system call",
}
# Signals that do not end a process by default.
HARMLESS = {"STOP", "TSTP", "TTIN", "TTOU", "CHLD", "CONT", "URG", "WINCH"}


def check(name, expected, *arguments, status=None, before=b"old", after=None, environment=None, setup=None, out=output,
          use=source):
    """Checks one run. `expected`: the text of standard error, or a predicate."""
    global runs
    runs += 1
    mark = f"TILEIR_FAULT_TEST={os.getpid()}-{runs}"
    env = dict(os.environ, TMPDIR=tmp, TILEIR_PTXAS_PATH=ptxas, STANDIN_OUT=elf, STANDIN_PRODUCT=elf)
    env.update(environment or {})
    env[mark.split("=")[0]] = mark.split("=")[1]
    if before is None:
        if os.path.exists(out):
            os.remove(out)
    else:
        open(out, "wb").write(before)
    entries = set(os.listdir("."))
    run = subprocess.run(tool + [use, "-o", out, *arguments], env=env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=setup)
    text = run.stderr

    def fail(why):
        sys.exit(f"{name}: {why}\nstatus {run.returncode}, text {text[-2000:]!r}")

    if run.returncode != (code if status is None else status):
        fail(f"expected status {code if status is None else status}")
    if isinstance(expected, str):
        # The error names the program that ran, so that a wrong assembler is visible.
        ran = expected.split("\n")[-1].startswith("error: ptxas") and "could not" not in expected
        named = [f"note: ptxas is '{env['TILEIR_PTXAS_PATH']}', release unknown"] if ran else []
        lines = ([expected] if expected else []) + named + ([last] if last and run.returncode == 5 else [])
        wanted = "".join(line + "\n" for line in lines)
        if text != wanted.encode():
            fail(f"expected {wanted!r}")
    elif not expected(text):
        fail("unexpected text")
    if run.stdout:
        fail(f"standard output {run.stdout[:100]!r}")
    now = open(out, "rb").read() if os.path.exists(out) else None
    if now != (before if after is None else after):
        fail(f"output is {now!r}")
    if os.listdir(tmp):
        fail(f"left {os.listdir(tmp)}")
    if set(os.listdir(".")) - {os.path.basename(out)} != entries - {os.path.basename(out)}:
        fail(f"left {set(os.listdir('.')) - entries}")
    deadline = time.monotonic() + 5
    while marked(mark):
        if time.monotonic() > deadline:
            fail(f"left processes {marked(mark)}")
        time.sleep(0.01)


def standin(script, name="standin"):
    """Returns an executable that ignores `--version` and runs `script`, with the product's path in `$product`."""
    path = f"{folder}/{name}"
    with open(path, "w") as f:
        f.write("#!/bin/sh\nfor w in \"$@\"; do [ \"$w\" = --version ] && exit 0; done\nproduct=; previous=\n"
                "for w in \"$@\"; do [ \"$previous\" = -o ] && product=$w; previous=$w; done\n" + script + "\n")
    os.chmod(path, 0o755)
    return {"TILEIR_PTXAS_PATH": path}


def deliver():
    """Returns shell text that delivers the product in either form."""
    return 'if [ -n "$product" ]; then cat > "$product"; else cat; fi'


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def exit_codes():
    for number in range(256):
        environment = {"STANDIN_RC": str(number)}
        if number == 0:
            check("exit code 0", "", environment=environment, status=0, after=b"\x7fELFx")
        elif number == 126:
            check("exit code 126", "error: ptxas: Program could not be executed\n"
                  f"note: exit status 126: found but not executable: {ptxas}", environment=environment)
        elif number == 127:
            check("exit code 127", lambda text: text.startswith(
                b"error: ptxas: Program could not be executed\nnote: exit status 127: "), environment=environment)
        else:
            check(f"exit code {number}", f"error: ptxas exited with status {number}", environment=environment,
                  before=b"old" if number % 2 else None)


def signals():
    for number in range(1, signal.SIGRTMAX + 1):
        try:
            name = signal.Signals(number).name[3:]
        except ValueError:
            name = str(number)
        if name in HARMLESS or number in (32, 33):  # the last two are the C library's own
            continue
        text = SIGNALS.get(name, f"Signal {number}")
        check(f"signal {name}", f"error: ptxas: {text}", setup=no_core,
              environment=standin(f"kill -{number} $$; sleep 5"))


def core():
    def allow():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    # A probe process finds out whether this machine writes core files.
    probe = subprocess.Popen(["sh", "-c", "kill -SEGV $$"], cwd=tmp, preexec_fn=allow)
    dumped = os.WCOREDUMP(os.waitpid(probe.pid, 0)[1])
    for name in os.listdir(tmp):
        os.remove(f"{tmp}/{name}")
    print("core files are", "written" if dumped else "not written", "here")
    check("core", "error: ptxas: Segmentation fault" + (" (core dumped)" if dumped else ""), setup=allow,
          environment=standin("kill -SEGV $$; sleep 5"))


def streams():
    ok = dict(status=0, after=b"\x7fELFx")
    check("hang", lambda text: text.startswith(b"working\nerror: ptxas: Child timed out\n"), "--tool-timeout=0.3",
          environment=standin("echo working >&2; sleep 60 & sleep 60"))
    check("hang, by variable", "error: ptxas: Child timed out", environment=dict(standin("sleep 60"), TILEIR_TOOL_TIMEOUT="0.3"))
    check("hang, option before variable", "error: ptxas: Child timed out", "--tool-timeout=0.3",
          environment=dict(standin("sleep 60"), TILEIR_TOOL_TIMEOUT="0"))
    for value in ("", "x", "-1", "nan", "1 s"):
        check(f"time {value!r}", f"error: invalid value '{value}' of TILEIR_TOOL_TIMEOUT; expected seconds, 0 is no limit",
              status=2, environment={"TILEIR_TOOL_TIMEOUT": value})
    # A parent may ignore SIGCHLD.
    check("deaf parent", "", setup=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), **ok)
    check("deaf parent, failure", "error: ptxas exited with status 3", environment={"STANDIN_RC": "3"},
          setup=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    check("hang, deaf", "error: ptxas: Child timed out", "--tool-timeout=0.3",
          environment=standin("trap '' TERM INT HUP; while :; do sleep 1; done"))
    check("slow drip", "", environment=standin(
        "(for b in 177 105 114 106 170; do printf \"\\\\$b\"; sleep 0.05; done) | " + deliver()), **ok)
    check("slow drip on standard error", lambda text: True, environment=standin(
        f"for i in 1 2 3 4 5; do printf .; sleep 0.05; done >&2; cat {elf} | " + deliver()), **ok)
    check("garbage", lambda text: b"error: ptxas exited with status 0 but produced no cubin\n" in text,
          environment=standin("printf 'no elf' | " + deliver()))
    check("binary garbage", lambda text: text.startswith(b"error: ptxas exited with status 0 but produced no cubin\n"),
          environment=standin("head -c 100000 /dev/zero | " + deliver()))
    check("nothing", "error: ptxas exited with status 0 but produced no cubin", environment=standin("exit 0"))
    check("empty product", "error: ptxas exited with status 0 but produced no cubin",
          environment=standin("[ -n \"$product\" ] && : > \"$product\"; exit 0"))
    check("product and failure", "error: ptxas exited with status 3", environment=standin(f"cat {elf} | ({deliver()}); exit 3"))
    check("closes early, succeeds", "", environment=standin(f"cat {elf} | ({deliver()}); exec >&- 2>&-; sleep 0.3"), **ok)
    check("closes early, fails", "error: ptxas exited with status 9", environment=standin("exec >&- 2>&-; sleep 0.3; exit 9"))
    check("leaves a child", "", environment=standin(f"cat {elf} | ({deliver()}); sleep 60 & exit 0"), **ok)
    check("leaves a silent child", "", environment=standin(f"cat {elf} | ({deliver()}); sleep 60 >/dev/null 2>&1 & exit 0"), **ok)
    check("reads its input", "", environment=standin(f"cat > /dev/null; cat {elf} | ({deliver()})"), **ok)
    check("text", "ptxas fatal   : a\\b %s $x\n\x1b[0m\u00e4\nerror: ptxas exited with status 255",
          environment=standin("printf '%s\\n' 'ptxas fatal   : a\\b %s $x' >&2; printf '\\033[0m\\303\\244\\n' >&2; exit 255"))


def flood():
    size = 100 << 20
    check("flood", lambda text: len(text) > size and text.startswith(b"\0" * size) and
          text[size:].startswith(b"\nerror: ptxas exited with status 7\n"),
          environment=standin(f"head -c {size} /dev/zero >&2; exit 7"))
    check("too much", lambda text: b"error: ptxas produced too much output\n" in text[-2000:], "--tool-timeout=60",
          environment=standin("yes >&2"))


def system():
    # The environment of the tool leaves no room for the arguments of its child.
    with open(f"{folder}/arguments", "w") as f:
        f.write("--ptxas-options='" + " ".join(["-" + "x" * 99] * 3000) + "'\n")
    check("E2BIG", "error: Couldn't spawn ptxas: Argument list too long", f"@{folder}/arguments",
          environment={f"TILEIR_LARGE_{i}": "x" * 100000 for i in range(19)},
          setup=lambda: resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.RLIM_INFINITY)))
    check("not executable", lambda text: text.startswith(
        b"error: ptxas: Program could not be executed\nnote: exit status 126: found but not executable: "),
        environment={"TILEIR_PTXAS_PATH": source})
    check("a folder", lambda text: b"exit status 126: found but not executable: " in text,
          environment={"TILEIR_PTXAS_PATH": folder})
    check("not there", "error: ptxas: Program could not be executed\n"
          f"note: exit status 127: '{folder}/no' does not exist", environment={"TILEIR_PTXAS_PATH": f"{folder}/no"})
    with open(f"{folder}/text", "w") as f:
        f.write("no program\n")
    os.chmod(f"{folder}/text", 0o755)
    check("ENOEXEC", "error: ptxas: Program could not be executed\nnote: exit status 126: found but not executable: "
          f"{folder}/text: Exec format error", environment={"TILEIR_PTXAS_PATH": f"{folder}/text"})

    # A full disk and a read-only folder, at each place that is written.
    unwritable = 2 if code == 5 and last else 4
    private = 5 if last else 4
    in_place = last != ""
    shim = dict(LD_PRELOAD=f"{folder}/shim.so")
    long = source
    if not last:  # inline PTX needs no file
        long = f"{folder}/long.ptx"
        with open(source) as f, open(long, "w") as g:
            g.write(f.read() + "// " + "x" * 200000 + "\n")
    for number, words in ((errno.ENOSPC, "No space left on device"), (errno.EACCES, "Permission denied")):
        check(f"{words}: private folder", lambda text: text.startswith(
            f"error: cannot write '{tmp}/tileir-serialize-".encode()) and f"': {words}\n".encode() in text,
            status=private, use=long,
            environment=dict(shim, SHIM_PREFIX=tmp, SHIM_ERROR=str(number)))
        check(f"{words}: new output", f"error: cannot write 'out': {words}", out="out", status=unwritable, before=None,
              environment=dict(shim, SHIM_PREFIX=f"{folder}/.out", SHIM_ERROR=str(number)))
        # In-place writing begins and stops; the old content is restored.
        place = dict(SHIM_PREFIX=f"{folder}/out", SHIM_LIMIT="3") if in_place else dict(SHIM_PREFIX=f"{folder}/.out")
        check(f"{words}: output", f"error: cannot write 'out': {words}", out="out", status=unwritable,
              environment=dict(shim, SHIM_ERROR=str(number), **place))
    # A folder that accepts no new file, for lack of permission (it may be sticky) or of inodes, still accepts new
    # content.
    for number in (errno.EACCES, errno.EPERM, errno.ENOSPC):
        refused = dict(shim, SHIM_CREATE=f"{folder}/.out", SHIM_ERROR=str(number))
        check(f"no new file: {number}", "" if in_place else f"error: cannot write '{output}': {os.strerror(number)}",
              environment=refused, **(dict(status=0, after=b"\x7fELFx") if in_place else dict(status=unwritable)))
    check("mounted output", "", status=0, after=b"\x7fELFx", environment=dict(shim, SHIM_RENAME="1"))
    check("no rename", "error: cannot write 'new': Device or resource busy", out="new", before=None, status=unwritable,
          environment=dict(shim, SHIM_RENAME="1"))
    check("no private folder", lambda text: text.startswith(
        f"error: cannot create a private directory in '{folder}/none': No such file or directory\n".encode()),
        status=private, environment=dict(TMPDIR=f"{folder}/none"))
    check("full device", "error: cannot write '/dev/full': No space left on device", "-o", "/dev/full",
          status=unwritable)
    check("no folder", "error: cannot write 'none/out': No such file or directory", "-o", "none/out", status=unwritable)
    check("a folder", "error: cannot write 'tmp': Is a directory", "-o", "tmp", status=unwritable)
    check("no name", "error: cannot write '': No such file or directory", "-o", "", status=unwritable)


def killed():
    deaf = "trap '' TERM INT HUP QUIT TSTP; while :; do sleep 60; done"
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        for kill in (os.kill, os.killpg, kill_by_name):
            for script in ("sleep 60 & sleep 60", deaf):
                kill_once(number, kill, script)
    # Sent to every process of the job, including the guard; processes that are deaf or stopped have to go, too.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        for script in ("sleep 60 & sleep 60", deaf, "kill -STOP $$"):
            kill_once(number, kill_job, script)
    for script in ("sleep 60 & sleep 60", deaf):
        kill_once(signal.SIGKILL, stop_job, script)


def kill_job(pid, number):
    """Kills every process that belongs to the run."""
    with open(f"/proc/{pid}/environ", "rb") as f:
        mark = next(word for word in f.read().split(b"\0") if word.startswith(b"TILEIR_FAULT_TEST=")).decode()
    others = [int(other) for other in marked(mark) if int(other) != pid]
    # In either order: the guard waits for the tool's end.
    for other in [pid] + others if runs % 2 else others + [pid]:
        try:
            os.kill(other, number)
        except OSError:
            pass


def stop_job(pid, number):
    """Stops all of the job like a terminal, and ends the tool alone."""
    kill_job(pid, signal.SIGTSTP)
    time.sleep(0.05)
    os.kill(pid, number)


def kill_by_name(pid, number):
    """Kills processes by name like killall, within this session."""
    with open(f"/proc/{pid}/comm") as f:
        name = f.read()
    for other in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{other}/comm") as f:
                same = f.read() == name
            if same and os.getsid(int(other)) == pid:
                os.kill(int(other), number)
        except OSError:
            pass


def default_signals():
    # A background job of a shell, or one under nohup, ignores some signals, and so would the tool.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    no_core()


def kill_once(number, kill, script):
    global runs
    runs += 1
    mark = f"TILEIR_FAULT_TEST={os.getpid()}-{runs}"
    started = f"{folder}/started"
    env = dict(os.environ, TMPDIR=tmp, **standin(f": > {started}; {script}"))
    env[mark.split("=")[0]] = mark.split("=")[1]
    open(output, "wb").write(b"old")
    run = subprocess.Popen(tool + [source, "-o", output], env=env, stderr=subprocess.DEVNULL, start_new_session=True,
                           preexec_fn=default_signals)
    while not os.path.exists(started):
        if run.poll() is not None:
            sys.exit("the tool ended before it was killed")
        time.sleep(0.005)
    os.remove(started)
    at = time.monotonic()
    kill(run.pid, number)
    status = run.wait()
    while os.listdir(tmp) or marked(mark):
        if time.monotonic() > at + 5:
            sys.exit(f"{number!r}: left {os.listdir(tmp)} and processes {marked(mark)}")
        time.sleep(0.005)
    # The signal may reach the assembler a moment before the tool, which then reports the failure.
    if status not in ((-number, code) if kill is kill_job else (-number,)) or open(output, "rb").read() != b"old":
        sys.exit(f"{number!r}: status {status}, output {open(output, 'rb').read()!r}")


GROUPS = {"codes": [exit_codes], "signals": [signals, core], "streams": [streams], "flood": [flood], "system": [system],
          "killed": [killed]}
for step in GROUPS[group]:
    step()
print(f"{runs} runs")

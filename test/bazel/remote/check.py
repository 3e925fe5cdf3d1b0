#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bazel's remote cache and remote execution of tile kernels, on a real server and workers of this machine.

    check.py TREE PREFIX KERNELS WORK [--table]

Builds KERNELS kernels cold, warm, with one source touched and with one target added: without remote, with the cache alone, and
executed by two workers (worker.py), which have no compiler, no ptxas and no network of their own. Kills the server in
mid-build. Every cubin has the bytes of the local build. --table prints the figures of docs/measurements/bazel.md.
"""
import argparse
import glob
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

_HERE = os.path.dirname(os.path.realpath(__file__))
_LIMIT = 1500

_UNDECLARED = """
def _impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".tileirbc")
    ctx.actions.run(
        executable = ctx.toolchains["@rules_tileir//:toolchain_type"].translator,
        arguments = ["--mlir-to-cudatilebc", ctx.attr.path, "-o", out.path],
        outputs = [out],
    )
    return [DefaultInfo(files = depset([out]))]

undeclared = rule(
    implementation = _impl,
    attrs = {"path": attr.string()},
    toolchains = ["@rules_tileir//:toolchain_type"],
)
"""


def fail(text):
    print("FAILED: " + text, flush=True)
    sys.exit(1)


def processor_seconds(pid):
    """Returns the processor time of a process and of the children that it waited for; 0 if it has ended."""
    try:
        with open("/proc/%s/stat" % pid) as stat:
            return sum(map(int, stat.read().rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")
    except FileNotFoundError:
        return 0.0


class Processes:
    """Server and workers; they end with this program."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = str(probe.getsockname()[1])
        self.server = None
        self.workers = []
        self.ended = 0.0  # processor seconds of servers that were killed

    def processor_seconds(self):
        return self.ended + sum(processor_seconds(p.pid) for p in self.workers + [self.server] if p)

    def start(self, script, *words):
        log = open(os.path.join(self.folder, script + ".log"), "ab")
        return subprocess.Popen([sys.executable, os.path.join(_HERE, script), self.folder, *words], stdout=log, stderr=log)

    def start_server(self):
        self.server = self.start("server.py", self.port)
        until = time.time() + 120
        while time.time() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(self.port))) == 0:
                    return
            if self.server.poll() is not None:
                break
            time.sleep(0.2)
        with open(os.path.join(self.folder, "server.py.log")) as log:
            fail("no server: " + log.read()[-2000:])

    def start_workers(self):
        self.workers = [self.start("worker.py", self.port, "worker%d" % i) for i in range(2)]

    def kill_server(self):
        self.ended += processor_seconds(self.server.pid)
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def end(self):
        for process in self.workers + [self.server]:
            if process and process.poll() is None:
                process.kill()
                process.wait()


class Workspace:
    def __init__(self, tree, prefix, folder, kernels):
        self.folder = folder
        os.makedirs(folder)
        self.kernels = ["k%03d" % i for i in range(kernels)]
        self.sources = {}
        for kind in ["add", "softmax", "attention"]:
            with open(os.path.join(tree, "examples/kernels/%s.mlir" % kind)) as file:
                self.sources[kind] = file.read()
        for i, kernel in enumerate(self.kernels):
            # Three quarters are element-wise, one in twenty is attention.
            kind = "attention" if i % 20 == 19 else "softmax" if i % 5 == 3 else "add"
            self.write(kernel + ".mlir", re.sub(r"@%s\b" % kind, "@%s_%s" % (kind, kernel), self.sources[kind]))
        self.write("WORKSPACE", """workspace(name = "kernels")
local_repository(name = "tileir", path = "%s")
load("@tileir//rules_tileir:repositories.bzl", "tileir_prefix")
tileir_prefix(name = "tileir_prefix", prefix = "%s")
register_toolchains("@tileir_prefix//:toolchain")
load("@tileir//third_party:repositories.bzl", "tileir_repositories")
tileir_repositories()
""" % (tree, prefix))
        self.write("BUILD.bazel", """load("@rules_tileir//:defs.bzl", "tileir_cubin")
load(":kernels.bzl", "ARCHS", "KERNELS")
[tileir_cubin(name = k + "." + a, src = k + ".mlir", arch = a) for k in KERNELS for a in ARCHS]
""")
        self.archs(["sm_90"])

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def archs(self, names):
        self.write("kernels.bzl", "KERNELS = %r\nARCHS = %r\n" % (self.kernels, names))

    def touch(self, kernel, word):
        path = os.path.join(self.folder, kernel + ".mlir")
        with open(path) as file:
            text = file.read()
        self.write(kernel + ".mlir", re.sub(r"@(\w+?_%s)\w*" % kernel, r"@\1" + word, text))


class Builder:
    """Bazel with an output base of its own: a machine without previous builds."""

    def __init__(self, workspace, base, options, services):
        self.workspace = workspace
        self.base = base
        self.services = services
        # Without links into its output, which another machine would take for packages.
        self.options = ["--symlink_prefix=/", *options]

    def command(self, *words):
        return ["bazel", "--output_base=" + self.base, "--max_idle_secs=60", "--host_jvm_args=-Xmx700m", *words]

    def environment(self):
        keep = {k: os.environ[k] for k in ["HOME", "TILEIR_PTXAS_PATH", "USER"] if k in os.environ}
        return dict(keep, PATH="/usr/bin:/bin:/usr/local/bin")

    def start(self, *words, targets=("//...",)):
        log = open(self.base + ".log", "wb")
        return subprocess.Popen(self.command("build", "--noshow_progress", "--repository_cache=", *self.options, *words, *targets),
                                cwd=self.workspace.folder, env=self.environment(), stdout=log, stderr=log)

    def processor_seconds(self):
        """Returns the processor time of Bazel's server with its actions, and of the remote services."""
        with open(os.path.join(self.base, "server/server.pid.txt")) as file:
            bazel = processor_seconds(file.read())
        return bazel + (self.services.processor_seconds() if self.services else 0)

    def said(self):
        with open(self.base + ".log", errors="replace") as log:
            return log.read()

    def build(self, *words, targets=("//...",), expect=0):
        """Builds; returns seconds, processor seconds and Bazel's line about processes."""
        begin, cpu = time.time(), self.processor_seconds()
        code = self.start(*words, targets=targets).wait(_LIMIT)
        seconds, cpu = time.time() - begin, self.processor_seconds() - cpu
        if (code != 0) != (expect != 0):
            fail("bazel build returned %d: %s" % (code, self.said()[-3000:]))
        found = re.search(r"INFO: (\d+ process(?:es)?[^\n]*)\.", self.said())
        return seconds, cpu, found.group(1) if found else ""

    def warm_up(self):
        """Starts the server and loads packages, so that times are those of the build."""
        subprocess.run(self.command("build", "--nobuild", "--noshow_progress", "--repository_cache=", *self.options, "//..."),
                       cwd=self.workspace.folder, env=self.environment(), check=True, capture_output=True)

    def products(self):
        """Returns the hash of each cubin."""
        result = {}
        for path in glob.glob(os.path.join(self.base, "execroot/kernels/bazel-out/*/bin/*.cubin")):
            with open(path, "rb") as file:
                result[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
        return result

    def end(self):
        subprocess.run(self.command("shutdown"), cwd=self.workspace.folder, env=self.environment(), check=False,
                       capture_output=True)
        subprocess.run(["chmod", "-R", "u+w", self.base], check=False)
        shutil.rmtree(self.base, ignore_errors=True)


def same(what, got, wanted):
    if got != wanted:
        different = sorted(k for k in set(got) | set(wanted) if got.get(k) != wanted.get(k))
        fail("%s: other bytes than the local build's: %s" % (what, ", ".join(different[:5])))


def count(line, kind):
    found = re.search(r"(\d+) " + kind, line)
    return int(found.group(1)) if found else 0


class Check:
    def __init__(self, options):
        self.work = options.work
        self.kernels = options.kernels
        self.tree, self.prefix = os.path.realpath(options.tree), os.path.realpath(options.prefix)
        self.rows = []
        self.builders = 0
        self.services = []

    def workspace(self, name):
        return Workspace(self.tree, self.prefix, os.path.join(self.work, name), self.kernels)

    def builder(self, workspace, *options, services=None):
        self.builders += 1
        builder = Builder(workspace, os.path.join(self.work, "base%d" % self.builders), list(options), services)
        builder.warm_up()
        return builder

    def services_in(self, name, workers):
        folder = os.path.join(self.work, name)
        os.makedirs(folder)
        services = Processes(folder)
        self.services.append(services)
        services.start_server()
        if workers:
            services.start_workers()
        return services

    def row(self, way, step, seconds, cpu, line):
        self.rows.append((way, step, seconds, cpu, line))
        print("%-10s %-22s %7.1f s %7.1f s of processors   %s" % (way, step, seconds, cpu, line), flush=True)

    def steps(self, way, options, services=None):
        """Builds cold, warm on a second machine, with one source touched, and with one target added. Returns the
        products of the last three."""
        workspace = self.workspace("ws_" + way)
        first = self.builder(workspace, *options, services=services)
        results = []
        line = None
        try:
            seconds, cpu, line = first.build()
            self.row(way, "cold", seconds, cpu, line)
            cold = line
            results.append(first.products())
            if options:
                second = self.builder(workspace, *options, services=services)
                try:
                    seconds, cpu, line = second.build()
                    self.row(way, "warm, another machine", seconds, cpu, line)
                    if count(line, "remote cache hit") != 2 * self.kernels:
                        fail("a second machine runs actions: " + line)
                    same(way + ", warm", second.products(), results[0])
                finally:
                    second.end()
            else:
                seconds, cpu, line = first.build()
                self.row(way, "nothing to do", seconds, cpu, line)
            workspace.touch("k000", "_changed")
            seconds, cpu, line = first.build()
            self.row(way, "one source touched", seconds, cpu, line)
            results.append(first.products())
            if count(line, "process") > 3:
                fail("one source touched: " + line)
            workspace.archs(["sm_90", "sm_100"])
            seconds, cpu, line = first.build()
            self.row(way, "one target added", seconds, cpu, line)
            results.append(first.products())
        finally:
            first.end()
        return results, cold

    def run(self):
        local, _ = self.steps("local", [])
        if len(local[0]) != self.kernels or len(local[2]) != 2 * self.kernels:
            fail("%d and %d cubins" % (len(local[0]), len(local[2])))

        cache = self.services_in("cache", False)
        address = "grpc://127.0.0.1:" + cache.port
        got, _ = self.steps("cache", ["--remote_cache=" + address], cache)
        for one, other, step in zip(got, local, ["cold", "touched", "added"]):
            same("cache, " + step, one, other)
        cache.end()

        execution = self.services_in("execution", True)
        address = "grpc://127.0.0.1:" + execution.port
        remote = ["--remote_executor=" + address, "--spawn_strategy=remote", "--jobs=8", "--remote_retries=30"]
        got, cold = self.steps("execution", remote, execution)
        for one, other, step in zip(got, local, ["cold", "touched", "added"]):
            same("execution, " + step, one, other)
        if count(cold, "remote") != 2 * self.kernels or "sandbox" in cold or "local" in cold:
            fail("not all ran remotely: " + cold)
        self.undeclared(remote)
        execution.end()

        self.killed("killed", local[0])

    def undeclared(self, remote):
        """Checks that an action that reads a file by a path of this machine works here and fails where only declared
        inputs exist."""
        workspace = self.workspace("ws_undeclared")
        workspace.write("undeclared.bzl", _UNDECLARED)
        workspace.write("BUILD.bazel", 'load(":undeclared.bzl", "undeclared")\nundeclared(name = "undeclared", path = "%s/k000.mlir")\n' %
                        workspace.folder)
        for options, expect in [(["--spawn_strategy=local"], 0), (remote, 1)]:
            builder = self.builder(workspace, *options)
            try:
                builder.build(targets=["//:undeclared"], expect=expect)
                if expect and "No such file or directory" not in builder.said():
                    fail("the action fails for another reason: " + builder.said()[-1500:])
            finally:
                builder.end()
        print("an undeclared file: found by a local action, not by a remote one", flush=True)

    def killed(self, name, wanted):
        """Checks that a build survives when the server dies during it and another one starts on its folder, with the
        right bytes."""
        services = self.services_in(name, True)
        options = ["--remote_executor=grpc://127.0.0.1:" + services.port, "--spawn_strategy=remote", "--jobs=8",
                   "--remote_retries=60"]
        workspace = self.workspace("ws_" + name)
        builder = self.builder(workspace, *options, services=services)
        try:
            begin, cpu = time.time(), builder.processor_seconds()
            build = builder.start()

            def done():
                return sum(sum(1 for line in open(log) if " 0 " in line)
                           for log in glob.glob(os.path.join(services.folder, "worker*.log")))

            while done() < self.kernels // 2 + 1 and build.poll() is None:
                time.sleep(0.05)
            if build.poll() is not None:
                fail("the build ended before its server was killed: " + builder.said()[-1500:])
            services.kill_server()
            before = done()
            time.sleep(2)
            services.start_server()
            if build.wait(_LIMIT):
                fail("the build did not survive its server: " + builder.said()[-3000:])
            seconds, cpu = time.time() - begin, builder.processor_seconds() - cpu
            line = re.search(r"INFO: (\d+ process[^\n]*)\.", builder.said())
            self.row("execution", "server killed", seconds, cpu, line.group(1) if line else "")
            same("killed", builder.products(), wanted)
            print("%d actions done before the kill, %d in all" % (before, done()), flush=True)
            if done() > 2 * self.kernels + len(services.workers):
                fail("actions that were done run again")
            # All results are cached, from before and after: another machine runs nothing.
            other = self.builder(workspace, *options, services=services)
            try:
                seconds, cpu, line = other.build()
                same("after the kill", other.products(), wanted)
                self.row("execution", "another machine after", seconds, cpu, line)
                if count(line, "remote cache hit") != 2 * self.kernels:
                    fail("results are lost: " + line)
            finally:
                other.end()
        finally:
            builder.end()
            services.end()

    def end(self):
        for services in self.services:
            services.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree")
    parser.add_argument("prefix")
    parser.add_argument("kernels", type=int)
    parser.add_argument("work")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    check = Check(options)
    try:
        check.run()
    finally:
        check.end()
    if options.table:
        print("\n| | step | seconds | processor seconds | Bazel says |\n|---|---|---:|---:|---|")
        for row in check.rows:
            print("| %s | %s | %.1f | %.1f | %s |" % row)


if __name__ == "__main__":
    main()

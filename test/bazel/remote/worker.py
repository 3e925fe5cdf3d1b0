#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker of the Remote Execution API for tests: takes actions from a BuildGrid server by its Bots interface.

    worker.py FOLDER PORT NAME

An action runs in namespaces of its own, without network, with a root that holds its inputs, the C library, /proc, /dev/null and
an empty /tmp, and nothing else: no shell, no compiler, no ptxas. An action that reads an undeclared file fails. FOLDER/NAME.log has
a line for each.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TILEIR_BUILDGRID_PATH"])

import grpc  # noqa: E402
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as reapi  # noqa: E402
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as reapi_grpc  # noqa: E402
from buildgrid._protos.google.bytestream import bytestream_pb2, bytestream_pb2_grpc  # noqa: E402
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc  # noqa: E402

# Needed by every dynamically linked program of the actions.
_LIBRARIES = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1"]
_LIBRARY_FOLDER = "/lib/x86_64-linux-gnu/"
_LOADER = "/lib64/ld-linux-x86-64.so.2"
# Runs inside of the namespaces: the last step leaves the machine's file system.
_ENTER = """
/usr/bin/mount --bind /dev/null "$1/dev/null" && /usr/bin/mount -t proc proc "$1/proc" || exit 125
root=$1 folder=$2
shift 2
exec /usr/bin/unshare --root="$root" --wd="$folder" "$@"
"""
_SMALL = 1 << 20
_PIECE = 1 << 20


class Store:
    """Files of the server's store, kept beside the worker."""

    def __init__(self, channel, folder):
        self.cas = reapi_grpc.ContentAddressableStorageStub(channel)
        self.stream = bytestream_pb2_grpc.ByteStreamStub(channel)
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def file(self, digest):
        """Path of the file with this digest."""
        path = os.path.join(self.folder, digest.hash)
        if not os.path.exists(path):
            part = path + ".part"
            with open(part, "wb") as file:
                if digest.size_bytes:
                    name = "blobs/%s/%d" % (digest.hash, digest.size_bytes)
                    for piece in self.stream.Read(bytestream_pb2.ReadRequest(resource_name=name)):
                        file.write(piece.data)
            os.chmod(part, 0o555)
            os.rename(part, path)
        return path

    def message(self, digest, kind):
        result = kind()
        with open(self.file(digest), "rb") as file:
            result.ParseFromString(file.read())
        return result

    def put(self, data):
        digest = reapi.Digest(hash=hashlib.sha256(data).hexdigest(), size_bytes=len(data))
        if not self.cas.FindMissingBlobs(reapi.FindMissingBlobsRequest(blob_digests=[digest])).missing_blob_digests:
            return digest
        if len(data) <= _SMALL:
            request = reapi.BatchUpdateBlobsRequest()
            request.requests.add(digest=digest, data=data)
            for response in self.cas.BatchUpdateBlobs(request).responses:
                if response.status.code:
                    raise RuntimeError(response.status.message)
            return digest

        def pieces():
            name = "uploads/%s/blobs/%s/%d" % (digest.hash[:32], digest.hash, digest.size_bytes)
            for at in range(0, len(data), _PIECE):
                yield bytestream_pb2.WriteRequest(resource_name=name, write_offset=at, data=data[at:at + _PIECE],
                                                  finish_write=at + _PIECE >= len(data))

        self.stream.Write(pieces())
        return digest


class Sandbox:
    """The root of actions."""

    def __init__(self, folder):
        self.root = folder
        shutil.rmtree(folder, ignore_errors=True)
        for name in ["dev", "lib64", "proc", "tmp", "work", _LIBRARY_FOLDER[1:]]:
            os.makedirs(os.path.join(folder, name))
        open(os.path.join(folder, "dev/null"), "w").close()
        for name in _LIBRARIES:
            shutil.copy(_LIBRARY_FOLDER + name, folder + _LIBRARY_FOLDER)
        shutil.copy(_LOADER, folder + _LOADER)
        self.work = os.path.join(folder, "work")

    def fill(self, store, directory, place):
        """Puts the input tree below `place`, as links to files of the store."""
        os.makedirs(place, exist_ok=True)
        for node in directory.files:
            os.link(store.file(node.digest), os.path.join(place, node.name))
        for node in directory.symlinks:
            os.symlink(node.target, os.path.join(place, node.name))
        for node in directory.directories:
            self.fill(store, store.message(node.digest, reapi.Directory), os.path.join(place, node.name))

    def run(self, store, action):
        command = store.message(action.command_digest, reapi.Command)
        for name in ["work", "tmp"]:
            shutil.rmtree(os.path.join(self.root, name))
            os.mkdir(os.path.join(self.root, name))
        self.fill(store, store.message(action.input_root_digest, reapi.Directory), self.work)
        folder = os.path.join("/work", command.working_directory)
        outputs = list(command.output_paths) or list(command.output_files)
        for output in outputs:
            os.makedirs(os.path.dirname(self.root + os.path.join(folder, output)), exist_ok=True)
        done = subprocess.run(
            ["/usr/bin/unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c",
             _ENTER, "sh", self.root, folder] + list(command.arguments),
            env={v.name: v.value for v in command.environment_variables}, capture_output=True, check=False)
        result = reapi.ActionResult(exit_code=done.returncode)
        result.stdout_digest.CopyFrom(store.put(done.stdout))
        result.stderr_digest.CopyFrom(store.put(done.stderr))
        for output in outputs:
            path = self.root + os.path.join(folder, output)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    result.output_files.add(path=output, digest=store.put(file.read()), is_executable=os.access(path, os.X_OK))
        return result, command


class Worker:
    def __init__(self, folder, port, name):
        self.name = name
        self.channel = grpc.insecure_channel("127.0.0.1:" + port)
        self.bots = bots_pb2_grpc.BotsStub(self.channel)
        self.store = Store(self.channel, os.path.join(folder, name + ".store"))
        self.sandbox = Sandbox(os.path.join(folder, name + ".root"))
        self.log = open(os.path.join(folder, name + ".log"), "a", buffering=1)

    def action(self, payload):
        if payload.Is(reapi.Action.DESCRIPTOR):
            action = reapi.Action()
            payload.Unpack(action)
            return action
        digest = reapi.Digest()
        payload.Unpack(digest)
        return self.store.message(digest, reapi.Action)

    def work(self, lease):
        """Runs the action of a lease and writes its result into it."""
        begin = time.time()
        result, command = self.sandbox.run(self.store, self.action(lease.payload))
        lease.result.Pack(result)
        lease.state = bots_pb2.LeaseState.COMPLETED
        self.log.write("%s %d %.3f s\n" % (" ".join(command.arguments[-1:] + list(command.output_files)), result.exit_code,
                                          time.time() - begin))

    def serve(self):
        """One session; ends when the server does."""
        session = bots_pb2.BotSession(bot_id=self.name, status=bots_pb2.BotStatus.OK, version="1")
        session.worker.devices.add(handle=self.name)
        session = self.bots.CreateBotSession(
            bots_pb2.CreateBotSessionRequest(parent="", bot_session=session), timeout=30)
        while True:
            for lease in session.leases:
                if lease.state == bots_pb2.LeaseState.PENDING:
                    lease.state = bots_pb2.LeaseState.ACTIVE
                elif lease.state == bots_pb2.LeaseState.ACTIVE:
                    self.work(lease)
            session = self.bots.UpdateBotSession(
                bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session), timeout=30)

    def run(self):
        while True:
            try:
                self.serve()
            except grpc.RpcError as error:
                self.log.write("session ended: %s %s\n" % (error.code().name, error.details()[:80]))
                time.sleep(0.5)


if __name__ == "__main__":
    Worker(os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3]).run()

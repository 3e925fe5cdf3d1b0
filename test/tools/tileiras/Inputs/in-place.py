# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""in-place.py FOLDER IN TILEIRAS: checks that an existing output keeps its inode, and the consequences for clients."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

folder, source, tool = sys.argv[1:]
os.chdir(folder)


def run(output, *arguments, prefix=(), **more):
    return subprocess.run([*prefix, tool, source, "--gpu-name", "sm_90", "-o", output, *arguments], stderr=subprocess.PIPE, **more)


def compile(output, *arguments, **more):
    done = run(output, *arguments, **more)
    assert done.returncode == 0 and not done.stderr, done
    with open(output, "rb") as f:
        return f.read()


products = {emit: compile(f"whole.{emit}", f"--emit={emit}") for emit in ("ptx", "llvm", "bc")}
assert len(set(products.values())) == 3

# A client that creates a file and reads it by its open handle, whatever its old contents.
for old in (b"", b"old", b"x" * 1000000):
    with tempfile.NamedTemporaryFile(dir=folder) as client:
        client.write(old)
        client.flush()
        inode = os.stat(client.name).st_ino
        compile(client.name, "--emit=ptx")
        client.seek(0)
        assert client.read() == products["ptx"], "the handle has other bytes"
        assert os.stat(client.name).st_ino == inode
print("own handle: sees the product", flush=True)

# A writable file in a read-only folder. A privileged process first drops its privileges.
os.mkdir("closed")
with open("closed/out", "w") as f:
    f.write("old")
os.chmod("closed", 0o555)
prefix = []
if os.geteuid() == 0 and shutil.which("setpriv"):
    prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
made = subprocess.run([*prefix, "sh", "-c", ": > closed/new"], stderr=subprocess.DEVNULL)
if made.returncode:
    done = run("closed/none", "--emit=ptx", prefix=prefix)
    assert done.returncode == 2 and done.stderr == b"error: cannot write 'closed/none': Permission denied\n", done
else:
    print("this user may write everywhere: only the shim of the fault tests tries a closed folder", file=sys.stderr)
assert compile("closed/out", "--emit=ptx", prefix=prefix) == products["ptx"]
os.chmod("closed", 0o755)
print("closed folder: takes the product", flush=True)

# A limit in the middle of the product.
limit = len(products["ptx"]) // 2
old = b"o" * (limit - 100)
with open("limited", "wb") as f:
    f.write(old)
assert limit > 200
done = run("limited", "--emit=ptx", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
assert done.returncode == 2 and done.stderr == b"error: cannot write 'limited': File too large\n", done
assert open("limited", "rb").read() == old
print("limit in the middle: the old content", flush=True)

# Runs with the same output are serialized.
with open("same", "w") as f:
    f.write("old")
runs = [threading.Thread(target=run, args=("same", f"--emit={emit}")) for emit in list(products) * 4]
for one in runs:
    one.start()
for one in runs:
    one.join()
assert open("same", "rb").read() in products.values()
print("same output: one of the products", flush=True)
left = [name for name in os.listdir(".") + os.listdir("closed") if name.startswith(".")]
assert not left, left

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""objects.py FOLDER TILEIRAS BYTECODE-FOLDER RUNTIME-DOUBLE: compiles every kernel to a cubin with both assemblers and
to an object that registers itself; links all objects into one program, by g++ and by nvcc; the program finds each
kernel."""
import concurrent.futures
import os
import re
import struct
import subprocess
import sys

folder, tileiras, data, double = sys.argv[1:]
new, old = os.environ["TILEIR_PTXAS_PATH"], os.environ["TILEIR_FALLBACK_PTXAS_PATH"]
versions = {}
for name in sorted(os.listdir(data)):
    # The newest version of each kernel that needs nothing newer than 13.3.
    match = re.fullmatch(r"(\w+)(?:\.v13_([123]))?\.tileirbc", name)
    if match:
        versions[match[1]] = name


def run(*command, ptxas=new):
    # Only the newer toolkit has libdevice.
    root = os.path.dirname(os.path.dirname(new))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, CUDA_ROOT=root, TILEIR_PTXAS_PATH=ptxas))
    if done.returncode or done.stdout:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}")


def functions(cubin):
    """Returns names of the kernels: sections `.text.<name>`."""
    image = open(cubin, "rb").read()
    shoff, = struct.unpack_from("<Q", image, 40)
    count, names = struct.unpack_from("<HH", image, 60)
    headers = [struct.unpack_from("<IIQQQQ", image, shoff + 64 * i) for i in range(count)]
    start = headers[names][4]
    texts = [image[start + h[0]:image.index(b"\0", start + h[0])].decode() for h in headers]
    return [text[len(".text."):] for text in texts if text.startswith(".text.")]


def compile_one(item):
    stem, name = item
    source = f"{data}/{name}"
    options = ["--gpu-name", "sm_90", "-O3", "--lineinfo"]
    run(tileiras, source, "-o", f"{folder}/{stem}.cubin", *options)
    run(tileiras, source, "-o", f"{folder}/{stem}.old.cubin", *options, ptxas=old)
    if functions(f"{folder}/{stem}.cubin") != functions(f"{folder}/{stem}.old.cubin"):
        raise RuntimeError(f"{stem}: the assemblers made different kernels")
    run(tileiras, source, "-o", f"{folder}/{stem}.o", "--emit=obj", "--register=cudart", f"--module-id={stem}",
        "--host-arch=x86_64", *options)
    if open(f"{folder}/{stem}.cubin", "rb").read() not in open(f"{folder}/{stem}.o", "rb").read():
        raise RuntimeError(f"{stem}: the object holds another cubin")
    return [(stem, function) for function in functions(f"{folder}/{stem}.cubin")]


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    kernels = [kernel for found in pool.map(compile_one, versions.items()) for kernel in found]
objects = [f"{folder}/{stem}.o" for stem in versions]
with open(f"{folder}/main.c", "w") as f:
    f.write("#include <string.h>\nint cudaLaunchKernel(const void *);\n")
    for _, function in kernels:
        f.write(f"void {function}(void);\n")
    for stem in versions:
        f.write(f"extern const char tileir_{stem}_cubin[];\n")
    f.write("int main(void) {\n  int failed = 0;\n")
    for _, function in kernels:
        f.write(f"  failed |= cudaLaunchKernel((const void *){function});\n")
    for stem in versions:
        f.write(f'  failed |= memcmp(tileir_{stem}_cubin, "\\177ELF", 4);\n')
    f.write("  return failed != 0;\n}\n")
run("cc", "-c", f"{folder}/main.c", "-o", f"{folder}/main.o")
run("cc", "-c", double, "-o", f"{folder}/double.o")
programs = {"g++": ["g++"], "static": ["g++", "-no-pie"]}
nvcc = os.path.join(os.path.dirname(new), "nvcc")
if os.access(nvcc, os.X_OK):
    programs["nvcc"] = [nvcc, "--cudart=none"]
for name, linker in programs.items():
    program = f"{folder}/program-{name}"
    run(*linker, f"{folder}/main.o", f"{folder}/double.o", *objects, "-o", program)
    output = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    launched = [line.split()[1] for line in output if line.startswith("launches ")]
    if launched != [function for _, function in kernels]:
        sys.exit(f"{name}: {launched}")
print(f"{len(versions)} modules, {len(kernels)} kernels, {len(programs)} programs")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver, NVML and cuBLAS by ctypes, and a driver that only checks its calls.

Nothing here needs a package: `Cuda` needs libcuda.so.1, the rest is skipped if its library is missing.
"""

import ctypes
import ctypes.util
import glob
import math
import os
import sys

U32, U64, SIZE, INT, VOID = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p

# Enumerations of cuda.h: CUtensorMapDataType, …Interleave, …Swizzle, …L2promotion, …FloatOOBfill.
DATA_TYPES = ("UINT8 UINT16 UINT32 INT32 UINT64 INT64 FLOAT16 FLOAT32 FLOAT64 BFLOAT16 FLOAT32_FTZ TFLOAT32 TFLOAT32_FTZ 16U4_ALIGN8B "
              "16U4_ALIGN16B 16U6_ALIGN16B").split()
BYTES = {"UINT8": 1, "UINT16": 2, "FLOAT16": 2, "BFLOAT16": 2, "UINT64": 8, "INT64": 8, "FLOAT64": 8}
INTERLEAVE = ["none", "16B", "32B"]
SWIZZLE = ["none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"]
PROMOTION = ["none", "64B", "128B", "256B"]
FILL = ["zeros", "nan"]
SWIZZLE_SPAN = {"32B": 32, "64B": 64}  # bytes of the innermost box; 128 for all others
# CUdevice_attribute
CLOCK_KHZ, PROCESSORS, MEMORY_CLOCK_KHZ, L2_BYTES, MAJOR, MINOR = 13, 16, 36, 38, 75, 76
FLUSH_BYTES = 256 << 20
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


class DeviceError(Exception):
    """Error of a library call."""


def check_map(made):
    """Returns texts of errors that cuTensorMapEncodeTiled would report for a tensor map (CUDA driver API, "Tensor Map
    Object Management")."""
    size, rank = BYTES.get(made["dtype"], 4), len(made["box"])
    wrong = []
    if made["dtype"] not in DATA_TYPES:
        wrong.append(f"no data type is called {made['dtype']}")
    if not 1 <= rank <= 5 or len(made["dims"]) != rank or len(made["strides"]) != rank - 1 or len(made["element_strides"]) != rank:
        return wrong + [f"rank {rank} does not fit extents {made['dims']} and strides {made['strides']}"]
    if made["address"] % 16 or not made["address"]:
        wrong.append(f"address {made['address']:#x} is not 16-byte aligned")
    wrong += [f"extent {d} is not in 1 ... 2^32" for d in made["dims"] if not 1 <= d <= 1 << 32]
    wrong += [f"stride {s} is not a multiple of 16 below 2^40" for s in made["strides"] if s % 16 or not 0 <= s < 1 << 40]
    wrong += [f"box extent {b} is not in 1 ... 256" for b in made["box"] if not 1 <= b <= 256]
    wrong += [f"element stride {e} is not in 1 ... 8" for e in made["element_strides"] if not 1 <= e <= 8]
    inner = made["box"][0] * size
    if inner % 16:
        wrong.append(f"innermost box of {inner} bytes is not a multiple of 16")
    if made["swizzle"] != "none" and inner > SWIZZLE_SPAN.get(made["swizzle"], 128):
        wrong.append(f"innermost box of {inner} bytes exceeds the swizzle of {made['swizzle']}")
    return wrong


def map_span(made):
    """Returns the bytes from the address of a map to the end of its tensor."""
    return made["dims"][0] * BYTES.get(made["dtype"], 4) + sum((d - 1) * s for d, s in zip(made["dims"][1:], made["strides"]))


class Prepared:
    """A launch with all referenced data. Each parameter is aligned to 64 bytes, as tensor maps require."""

    def __init__(self, function, grid, block, shared, parameters):
        self.function, self.grid, self.block, self.shared, self.parameters = function, grid, block, shared, parameters
        places, size = [], 0
        for one in parameters:
            places.append(size)
            size += (len(one) + 63) // 64 * 64
        self.store = ctypes.create_string_buffer(size + 64)
        base = (ctypes.addressof(self.store) + 63) // 64 * 64
        self.pointers = (VOID * max(1, len(parameters)))(*(base + at for at in places))
        for at, one in zip(places, parameters):
            ctypes.memmove(base + at, one, len(one))


class Cuda:
    """The first device of the driver. Errors are DeviceErrors with the driver's name of them."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as problem:
            raise DeviceError(f"libcuda.so.1 cannot be opened: {problem}") from None
        self.call("cuInit", U32(0))
        self.device = INT()
        self.call("cuDeviceGet", ctypes.byref(self.device), INT(0))
        context = VOID()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)
        self.sms = self.attribute(PROCESSORS)
        self.events = []
        for _ in range(2):
            event = VOID()
            self.call("cuEventCreate", ctypes.byref(event), U32(0))
            self.events.append(event)
        self.flush = lambda: None

    def call(self, name, *args):
        result = getattr(self.library, name)(*args)
        if result:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(INT(result), ctypes.byref(text))
            raise DeviceError(f"{name}: {text.value.decode() if text.value else result}")

    def attribute(self, number):
        value = INT()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), INT(number), self.device)
        return value.value

    def facts(self):
        name, bus, version = ctypes.create_string_buffer(256), ctypes.create_string_buffer(32), INT()
        self.call("cuDeviceGetName", name, INT(256), self.device)
        self.call("cuDeviceGetPCIBusId", bus, INT(32), self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.bus = bus.value
        return {"gpu": name.value.decode(), "capability": f"{self.attribute(MAJOR)}.{self.attribute(MINOR)}", "sms": self.sms,
                "cuda": f"{version.value // 1000}.{version.value % 1000 // 10}", "sm_mhz_max": self.attribute(CLOCK_KHZ) // 1000,
                "memory_mhz_max": self.attribute(MEMORY_CLOCK_KHZ) // 1000, "l2_bytes": self.attribute(L2_BYTES)}

    def allocate(self, size):
        at = U64()
        self.call("cuMemAlloc_v2", ctypes.byref(at), SIZE(max(1, size)))
        return at.value

    def upload(self, at, data):
        self.call("cuMemcpyHtoD_v2", U64(at), data, SIZE(len(data)))

    def download(self, at, size):
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, U64(at), SIZE(size))
        return data.raw

    def copy(self, to, source, size):
        self.call("cuMemcpyDtoD_v2", U64(to), U64(source), SIZE(size))

    def copy_async(self, to, source, size):
        self.call("cuMemcpyDtoDAsync_v2", U64(to), U64(source), SIZE(size), VOID())

    def fill(self, at, byte, size):
        self.call("cuMemsetD8_v2", U64(at), ctypes.c_ubyte(byte), SIZE(size))

    def load(self, path, entry, shared):
        with open(path, "rb") as cubin:
            image = cubin.read()
        module, function = VOID(), VOID()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if shared > 48 * 1024:
            self.call("cuFuncSetAttribute", function, INT(MAX_DYNAMIC_SHARED), INT(shared))
        return function

    def encode(self, made):
        wrong = check_map(made)
        if wrong:
            raise DeviceError("tensor map: " + "; ".join(wrong))
        store = ctypes.create_string_buffer(192)
        at = (ctypes.addressof(store) + 63) // 64 * 64
        rank = len(made["box"])
        self.call("cuTensorMapEncodeTiled", VOID(at), INT(DATA_TYPES.index(made["dtype"])), U32(rank), VOID(made["address"]),
                  (U64 * rank)(*made["dims"]), (U64 * max(1, rank - 1))(*made["strides"]), (U32 * rank)(*made["box"]),
                  (U32 * rank)(*made["element_strides"]), INT(INTERLEAVE.index(made["interleave"])), INT(SWIZZLE.index(made["swizzle"])),
                  INT(PROMOTION.index(made["l2_promotion"])), INT(FILL.index(made["oob_fill"])))
        return ctypes.string_at(at, 128)

    def launch(self, prepared):
        self.call("cuLaunchKernel", prepared.function, *map(U32, prepared.grid), *map(U32, prepared.block), U32(prepared.shared), VOID(),
                  prepared.pointers, VOID())

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def flush_with(self, make):
        """Flushes the L2 cache before each timed launch with `make(at, bytes)`, a launch that reads that many bytes. It
        only reads: written lines would be evicted during the timed launch. It takes some 0.1 ms, in which the host
        issues the timed launch, so that issue time does not count."""
        size = max(4 * self.attribute(L2_BYTES), FLUSH_BYTES)
        at = self.allocate(size)
        self.fill(at, 0, size)
        prepared = make(at, size)
        self.flush = lambda: self.launch(prepared)

    def time(self, launch):
        """Returns the milliseconds of the device between an event before and one after `launch()`."""
        self.flush()
        self.call("cuEventRecord", self.events[0], VOID())
        launch()
        self.call("cuEventRecord", self.events[1], VOID())
        self.call("cuEventSynchronize", self.events[1])
        elapsed = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), self.events[0], self.events[1])
        return elapsed.value


class Pretended:
    """A driver without a device: addresses are numbers, and a launch is checked against the limits and its kernel."""

    SHARED = 227 * 1024

    def __init__(self, sms=132):
        self.sms, self.next, self.ranges, self.launches = sms, 1 << 33, [], 0

    def allocate(self, size):
        at, self.next = self.next, self.next + (max(1, size) + 511) // 256 * 256
        self.ranges.append((at, at + max(1, size)))
        return at

    def inside(self, address, size=1):
        return any(low <= address and address + size <= high for low, high in self.ranges)

    def load(self, path, entry, shared):
        with open(path, "rb") as cubin:
            image = cubin.read()
        if image[:4] != b"\x7fELF" or entry.encode() not in image:
            raise DeviceError(f"{path} is no cubin of '{entry}'")
        if shared > self.SHARED:
            raise DeviceError(f"'{entry}' wants {shared} bytes of shared memory, a block has {self.SHARED}")
        return entry

    def encode(self, made):
        wrong = check_map(made)
        if not wrong and not self.inside(made["address"], map_span(made)):
            wrong = [f"{map_span(made)} bytes from {made['address']:#x} are not inside a buffer"]
        if wrong:
            raise DeviceError("tensor map: " + "; ".join(wrong))
        return made["address"].to_bytes(8, "little") + bytes(120)

    def launch(self, prepared):
        for got, limit in zip(prepared.grid, ((1 << 31) - 1, 65535, 65535)):
            if not 1 <= got <= limit:
                raise DeviceError(f"grid {prepared.grid}: {got} is not in 1 ... {limit}")
        if not 1 <= math.prod(prepared.block) <= 1024:
            raise DeviceError(f"block {prepared.block} has more than 1024 threads")
        for number, one in enumerate(prepared.parameters):
            if len(one) == 128 and not self.inside(int.from_bytes(one[:8], "little")):
                raise DeviceError(f"parameter {number} is no tensor map of a buffer")
        self.launches += 1


class Nvml:
    """Clock and power of a device, if they can be read."""

    def __init__(self, bus):
        self.handle = None
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
            handle = VOID()
            if self.library.nvmlInit_v2() == 0 and self.library.nvmlDeviceGetHandleByPciBusId_v2(bus, ctypes.byref(handle)) == 0:
                self.handle = handle
        except (OSError, AttributeError):
            pass

    def driver(self):
        text = ctypes.create_string_buffer(96)
        if self.handle and self.library.nvmlSystemGetDriverVersion(text, U32(96)) == 0:
            return text.value.decode()
        return ""

    def read(self):
        """Returns {"mhz": of the SMs, "watts"}; "" for missing values."""
        found = {"mhz": "", "watts": ""}
        value = U32()
        if self.handle and self.library.nvmlDeviceGetClockInfo(self.handle, INT(1), ctypes.byref(value)) == 0:
            found["mhz"] = value.value
        if self.handle and self.library.nvmlDeviceGetPowerUsage(self.handle, ctypes.byref(value)) == 0:
            found["watts"] = round(value.value / 1000)
        return found


def find_cublas():
    """Returns (cublasLt library, its version as text), or None: from the loader, a Python package, or a toolkit."""
    names = [f"libcublasLt.so{end}" for end in (".13", ".12", "")]
    folders = [os.path.join(p, "nvidia", "*", "lib") for p in sys.path if p] + ["/usr/local/cuda*/lib64", "/usr/local/cuda*/lib"]
    paths = names + [found for name in names for folder in folders for found in sorted(glob.glob(os.path.join(folder, name)))]
    for path in paths:
        try:
            library = ctypes.CDLL(path)
            library.cublasLtGetVersion.restype = SIZE
            version = library.cublasLtGetVersion()
        except (OSError, AttributeError):
            continue
        scale = 10000 if version >= 100000 else 1000
        return library, f"{version // scale}.{version % scale // 100}.{version % 100}"
    return None


class Cublas:
    """C = A B of row-major matrices by cublasLt: in its column-major terms C' = B' A'. For fp8 and integers it takes
    its first operand K-major only: B' comes from B stored as N x K."""

    TYPES = {"f16": 2, "bf16": 14, "f32": 0, "e4m3": 28, "i8": 3, "i32": 10}  # cudaDataType
    COMPUTE = {"tf32": 77, "int8": 72}  # cublasComputeType_t; of all others:
    COMPUTE_F32 = 68
    BATCH_COUNT, BATCH_STRIDE = 5, 6  # cublasLtMatrixLayoutAttribute_t
    TRANSPOSE_A, FAST_SUMS = 3, 25  # cublasLtMatmulDescAttributes_t
    MOST_WORKSPACE = 1  # cublasLtMatmulPreferenceAttributes_t
    WORKSPACE = 64 << 20

    def __init__(self, library, device):
        self.library, self.device, self.handle = library, device, VOID()
        self.call("cublasLtCreate", ctypes.byref(self.handle))
        self.workspace = device.allocate(self.WORKSPACE)

    def call(self, name, *args):
        result = getattr(self.library, name)(*args)
        if result:
            raise DeviceError(f"{name}: status {result}")

    def set(self, what, of, attribute, value):
        self.call(f"cublasLt{what}SetAttribute", of, INT(attribute), ctypes.byref(value), SIZE(ctypes.sizeof(value)))

    def matrix(self, kind, rows, columns, batch):
        """Returns a dense column-major matrix, or a batch of them."""
        layout = VOID()
        self.call("cublasLtMatrixLayoutCreate", ctypes.byref(layout), INT(self.TYPES[kind]), U64(rows), U64(columns), ctypes.c_int64(rows))
        if batch > 1:
            self.set("MatrixLayout", layout, self.BATCH_COUNT, ctypes.c_int32(batch))
            self.set("MatrixLayout", layout, self.BATCH_STRIDE, ctypes.c_int64(rows * columns))
        return layout

    @staticmethod
    def wants_transposed(problem):
        return problem["nt"] or problem["element"] in ("e4m3", "i8")

    def product(self, problem, a, b, c):
        """Returns a function that launches the matmul; `b` is N x K if required."""
        (m, n, k), element, batch = problem["extents"], problem["element"], problem["batch"]
        base, *form = problem["type"].split()
        description, preference, count = VOID(), VOID(), INT()
        scale = "i32" if base == "int8" else "f32"
        self.call("cublasLtMatmulDescCreate", ctypes.byref(description), INT(self.COMPUTE.get(base, self.COMPUTE_F32)), INT(self.TYPES[scale]))
        transposed = self.wants_transposed(problem)
        if transposed:
            self.set("MatmulDesc", description, self.TRANSPOSE_A, ctypes.c_int32(1))
        if "fast" in form:
            self.set("MatmulDesc", description, self.FAST_SUMS, ctypes.c_int8(1))
        left = self.matrix(element, k, n, batch) if transposed else self.matrix(element, n, k, batch)
        right, out = self.matrix(element, k, m, batch), self.matrix(problem["result"], n, m, batch)
        self.call("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
        self.set("MatmulPreference", preference, self.MOST_WORKSPACE, SIZE(self.WORKSPACE))
        # cublasLtMatmulHeuristicResult_t: algorithm (64 bytes), workspace (8), state, waves, four reserved words.
        found = (U64 * 12)()
        self.call("cublasLtMatmulAlgoGetHeuristic", self.handle, description, left, right, out, out, preference, INT(1), found,
                  ctypes.byref(count))
        if not count.value:
            raise DeviceError("cuBLAS has no algorithm for this product")
        number = ctypes.c_int32 if scale == "i32" else ctypes.c_float
        one, zero, size = number(1), number(0), SIZE(found[8])
        arguments = (self.handle, description, ctypes.byref(one), U64(b), left, U64(a), right, ctypes.byref(zero), U64(c), out, U64(c), out,
                     found, U64(self.workspace), size, VOID())
        return lambda: self.call("cublasLtMatmul", *arguments)

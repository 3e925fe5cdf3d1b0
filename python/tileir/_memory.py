# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host arrays as the memory of an emulated GPU."""
import ctypes
import dataclasses
import sys
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .errors import LaunchError

#: Element types: the name in case files by the names that NumPy, ml_dtypes and torch have for it.
DTYPES = {
    "bool": "i1",
    **{f"{sign}int{bits}": f"{name}{bits}" for sign, name in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)},
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "float8_e8m0fnu": "f8E8M0FNU",
}

#: Memory of this contents counts as never written. The numbers are NaN in every float type of at least 16 bits.
PATTERN = bytes.fromhex("d5ff3affa7ff61ff")


def empty(shape: Any, dtype: Any = np.float32) -> np.ndarray:
    """Returns a new array that counts as never written: a kernel that reads it before it writes it is an error.

    Arrays of `numpy.empty` do not: their contents cannot be told from data. Elements that the host or a kernel writes count
    as written, those beside them do not; of integers narrower than 64 bits, 8 bytes count together.

    Args:
        shape: extents, or one number.
        dtype: a NumPy element type, or one of ml_dtypes.
    """
    array = np.zeros(shape, dtype)
    poison(array)
    return array


def poison(array: np.ndarray) -> None:
    """Fills a contiguous array with the pattern of memory that counts as never written."""
    raw = array.reshape(-1).view(np.uint8)
    raw[:] = _pattern(raw.__array_interface__["data"][0], raw.size)


def _pattern(address: int, size: int) -> np.ndarray:
    """The bytes from `address` on of memory that counts as never written."""
    words = (address % len(PATTERN) + size + len(PATTERN) - 1) // len(PATTERN)
    return np.tile(np.frombuffer(PATTERN, np.uint8), words)[address % len(PATTERN):][:size]


def written(memory: np.ndarray, itemsize: int, is_float: bool) -> np.ndarray:
    """Which elements of `memory` count as written.

    Args:
        memory: contiguous bytes, of whole elements.
        itemsize: bytes of an element.
        is_float: whether an element with the pattern is enough, as no number has it; of integers it takes a word of 8 bytes.
    """
    address, count = memory.__array_interface__["data"][0], memory.size // itemsize
    unit = itemsize if is_float and itemsize >= 2 else len(PATTERN)
    before = min(-address % unit, memory.size)  # Bytes before the first whole unit.
    whole = (memory.size - before) // unit
    pattern = _pattern(address + before, len(PATTERN)).view(f"u{unit}")
    units = memory[before:before + whole * unit].view(f"u{unit}")
    rows = whole // pattern.size * pattern.size
    differs = np.empty(whole, bool)
    np.not_equal(units[:rows].reshape(-1, pattern.size), pattern, out=differs[:rows].reshape(-1, pattern.size))
    differs[rows:] = units[rows:] != pattern[:whole - rows]
    if unit == itemsize:
        return differs
    # The bytes at the edges of the words: less than 4 may be the pattern's by chance and go with the word beside them.
    after = memory.size - before - whole * unit
    head, tail = memory[:before], memory[memory.size - after:]
    edges = [bool((part != _pattern(part.__array_interface__["data"][0], part.size)).any()) if part.size >= 4 else
             bool(differs[beside]) if whole else True for part, beside in ((head, 0), (tail, -1))]
    if whole and differs.all() and all(edges):
        return np.broadcast_to(True, count)
    flags = np.concatenate([np.repeat(edges[0], before), np.repeat(differs, unit), np.repeat(edges[1], after)])
    return flags[::itemsize]


@dataclasses.dataclass(eq=False)
class HostArray:
    """An array argument."""

    name: str
    #: Address of element (0, 0, …).
    address: int
    #: Element type as case files name it, and its bytes.
    dtype: str
    itemsize: int
    shape: Tuple[int, ...]
    #: In bytes.
    strides: Tuple[int, ...]
    writable: bool
    #: What keeps the memory.
    owner: Any
    #: The elements are addresses, extents and strides of a list of arrays.
    is_list: bool = False

    @property
    def begin(self) -> int:
        """The lowest address of an element."""
        return self.address + sum((n - 1) * s for n, s in zip(self.shape, self.strides) if s < 0 and n > 0)

    @property
    def end(self) -> int:
        """The address after the highest element; `begin` when there is none."""
        if 0 in self.shape:
            return self.begin
        return self.begin + sum((n - 1) * abs(s) for n, s in zip(self.shape, self.strides)) + self.itemsize

    def axes(self) -> Optional[List[Tuple[int, int]]]:
        """Extents and strides in elements, outermost first, that visit each element once; None when elements overlap."""
        axes = sorted(((n, abs(s)) for n, s in zip(self.shape, self.strides) if n > 1 and s), key=lambda a: -a[1])
        inner = self.itemsize
        for n, stride in reversed(axes):
            if stride < inner or stride % self.itemsize:
                return None
            inner = stride * (n - 1) + inner
        # Neighbouring axes without a gap are one.
        merged: List[Tuple[int, int]] = []
        for n, stride in axes:
            if merged and merged[-1][1] == n * stride:
                merged[-1] = (merged[-1][0] * n, stride)
            else:
                merged.append((n, stride))
        return [(n, stride // self.itemsize) for n, stride in merged] or [(1, 1)]


def is_torch(value: Any) -> bool:
    """Whether the object is a tensor of torch; does not import torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_array(value: Any) -> bool:
    """Whether the argument stands for memory."""
    if isinstance(value, np.ndarray) or is_torch(value):
        return True
    return not isinstance(value, np.generic) and (hasattr(value, "__array_interface__") or hasattr(value, "__cuda_array_interface__"))


def describe(value: Any, name: str) -> HostArray:
    """Describes an array argument.

    Raises:
        LaunchError: an array that is not in the memory of this host, or has an element type that no kernel has.
    """
    if is_torch(value):
        # The answers of the tensor, not of `_torch`.
        with sys.modules["torch"]._C.DisableTorchFunction():
            if value.device.type != "cpu":
                raise LaunchError(f"argument '{name}' is a torch tensor on '{value.device}'; the emulator takes tensors on the CPU")
            owner, shape, writable = value, tuple(value.shape), True
            dtype, itemsize, address = str(value.dtype).split(".")[-1], value.element_size(), value.data_ptr()
            strides = tuple(s * itemsize for s in value.stride())
    elif isinstance(value, np.ndarray) or hasattr(value, "__array_interface__"):
        owner = np.asarray(value) if not isinstance(value, np.ndarray) else value
        if not owner.dtype.isnative:
            raise LaunchError(f"argument '{name}' has elements of foreign byte order, '{owner.dtype}'")
        dtype, itemsize = owner.dtype.name, owner.itemsize
        shape, strides, writable = owner.shape, owner.strides, owner.flags.writeable
        address = owner.__array_interface__["data"][0]
    else:
        raise LaunchError(f"argument '{name}' is memory of a GPU ({type(value).__name__}); the emulator takes NumPy arrays and torch tensors on the CPU")
    if dtype not in DTYPES:
        raise LaunchError(f"argument '{name}' has elements of type '{dtype}'; expected one of {', '.join(DTYPES)}")
    return HostArray(name, address, DTYPES[dtype], itemsize, shape, strides, writable, owner)


def host_bytes(address: int, size: int) -> np.ndarray:
    """The memory of this process from `address` on, as bytes."""
    return np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8)


class Span:
    """Memory that one array, or several that share it, take up."""

    def __init__(self, arrays: Sequence[HostArray]) -> None:
        self.arrays = list(arrays)
        self.begin = min(a.begin for a in arrays)
        self.end = max(a.end for a in arrays)
        first = self.arrays[0]
        same = all((a.dtype, a.itemsize) == (first.dtype, first.itemsize) and (a.begin - self.begin) % a.itemsize == 0 for a in arrays)
        #: The element type that arrays in it have; bytes, when they differ.
        self.dtype, self.itemsize = (first.dtype, first.itemsize) if same else ("u8", 1)
        # Gaps between the elements of an array belong to no array, unless another array covers them.
        axes = first.axes() if len(self.arrays) == 1 else None
        self.axes = axes or [((self.end - self.begin) // self.itemsize, 1)]
        self.name = first.name if len(self.arrays) == 1 else "+".join(a.name for a in arrays)

    def unwritten(self) -> np.ndarray:
        """Elements that count as never written, as unsigned integers."""
        return np.ascontiguousarray(self._elements(_pattern(self.begin, self.end - self.begin).view(f"u{self.itemsize}")))

    def view(self) -> np.ndarray:
        """The elements in host memory, bf16 and narrower floats as unsigned integers."""
        kind = np.dtype(f"{'f' if self.dtype in ('f16', 'f32', 'f64') else 'u'}{self.itemsize}")
        return self._elements(host_bytes(self.begin, self.end - self.begin).view(kind))

    def written(self) -> np.ndarray:
        """Which elements count as written."""
        is_float = self.dtype == "bf16" or self.dtype in ("f16", "f32", "f64")
        return self._elements(written(host_bytes(self.begin, self.end - self.begin), self.itemsize, is_float))

    def _elements(self, flat: np.ndarray) -> np.ndarray:
        """The elements of `flat`, which has one for each place, in the order of a case file."""
        return np.lib.stride_tricks.as_strided(flat, [n for n, _ in self.axes], [s * flat.strides[0] for _, s in self.axes])

    #: What addresses are a multiple of on both sides.
    _ALIGN = 256

    @property
    def shift(self) -> int:
        """Bytes from the start of the span to the first element."""
        return self.begin % self._ALIGN

    def case(self, init: str) -> Dict[str, Any]:
        """The buffer as an entry of a case file."""
        if self.shift % self.itemsize:
            raise LaunchError(f"argument '{self.name}' lies at an address that its elements of {self.itemsize} bytes do not divide")
        return {"name": self.name, "dtype": self.dtype, "shape": [n for n, _ in self.axes], "strides": [s for _, s in self.axes],
                "align": self._ALIGN, "offset": self.shift // self.itemsize, "init": init, "output": True}


def spans(arrays: Sequence[HostArray]) -> List[Span]:
    """The memory of `arrays`; arrays whose ranges overlap share a span. Arrays without elements have none."""
    groups: List[List[HostArray]] = []
    end = 0
    for array in sorted((a for a in arrays if a.end > a.begin), key=lambda a: a.begin):
        if groups and array.begin < end:
            groups[-1].append(array)
        else:
            groups.append([array])
        end = max(end, array.end)
    made = [Span(sorted(group, key=arrays.index)) for group in groups]
    return sorted(made, key=lambda span: arrays.index(span.arrays[0]))

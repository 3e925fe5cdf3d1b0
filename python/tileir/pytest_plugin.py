# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin of pytest: a user's tests on every generation of GPUs.

    @pytest.mark.tileir                            # on each of tileir.GPUS; or .tileir("sm_90", "sm_120", seed=2)
    def test_add(tileir_gpu): ...

    @pytest.mark.parametrize("gpu", tileir.GPUS)
    def test_add(gpu, tileir_gpu): ...             # on the parameter 'gpu'

With neither, `tileir_gpu` is TILEIR_EMULATE, else sm_90. pip makes pytest load it; `-p tileir.pytest_plugin` does by hand.
"""
import os
from typing import Any, Iterator

import pytest

from . import GPUS, emulate


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "tileir(*gpus, **options): run the test on these emulated GPUs, all generations by default; "
                            "options are those of tileir.emulate")


def pytest_generate_tests(metafunc: Any) -> None:
    mark = metafunc.definition.get_closest_marker("tileir")
    if mark is not None and "gpu" not in metafunc.fixturenames:
        if "tileir_gpu" not in metafunc.fixturenames:
            metafunc.fixturenames.append("tileir_gpu")
        metafunc.parametrize("tileir_gpu", mark.args or GPUS, indirect=True)


@pytest.fixture
def tileir_gpu(request: Any) -> Iterator[str]:
    """The name of the GPU that is emulated during the test."""
    mark = request.node.get_closest_marker("tileir")
    parameters = getattr(getattr(request.node, "callspec", None), "params", {})
    gpu = getattr(request, "param", None) or parameters.get("gpu") or os.environ.get("TILEIR_EMULATE") or "sm_90"
    with emulate(gpu, **(mark.kwargs if mark else {})):
        yield gpu


@pytest.fixture(autouse=True)
def _tileir_marked(request: Any) -> None:
    """Adds the fixture to tests with the marker that do not name it."""
    if request.node.get_closest_marker("tileir") is not None:
        request.getfixturevalue("tileir_gpu")

# SPDX-License-Identifier: Apache-2.0
"""Columns on CUDA devices where there is no library for them. tests/device has the rest."""

import aioli
import aioli.columns
import pytest


def test_no_library_is_a_device_error():
    with pytest.raises(aioli.DeviceError, match="no_such_library"):
        aioli.columns.Device(library="no_such_library.so")


def test_a_library_that_is_another():
    with pytest.raises(aioli.DeviceError, match="has no aioli_cuda"):
        aioli.columns.Device(library="libc.so.6")

# SPDX-License-Identifier: Apache-2.0
"""Columns on CUDA devices, by libaioli_cuda and a driver that runs kernels on the processor: `tools/python quick` has both."""

import ctypes

import aioli
import aioli.columns
import pytest

ROWS = 40


@pytest.fixture(scope="module")
def device():
    device = aioli.columns.Device(fallback=False)
    assert device.devices >= 1
    return device


def rows(name):
    key = aioli.SigningKey.generate(name)
    return key, [f"row {i}".encode() for i in range(ROWS)]


@pytest.mark.parametrize("name", ["MAYO-2", "MAYO-1-r2"])
def test_signatures_and_statuses_are_those_of_the_processor(device, name):
    key, messages = rows(name)
    here = aioli.columns.sign(name, messages, key, deterministic=True)
    there = aioli.columns.sign(name, messages, key, deterministic=True, device=device)
    assert [there[i] for i in range(ROWS)] == [here[i] for i in range(ROWS)]
    signatures = [here[i] for i in range(ROWS)]
    signatures[3] = signatures[4]
    signatures[5] = signatures[5][:-1]
    signatures[7] = None
    expected = aioli.columns.verify(name, messages, signatures, key.public_key).tolist()
    verified = aioli.columns.verify(name, messages, signatures, key.public_key, device=device)
    assert verified.tolist() == expected
    assert verified.good == ROWS - 3 and verified.nulls == 1 and verified.first_bad == 3


def test_hedged_signatures_of_a_device_verify(device):
    key, messages = rows("MAYO-2")
    signatures = aioli.columns.sign("MAYO-2", messages, key, device=device)
    assert signatures.statuses.all_valid
    assert aioli.columns.verify("MAYO-2", messages, signatures, key.public_key).all_valid


def test_what_a_device_has_no_kernels_for(device):
    key, messages = rows("UOV-Ip-pkc")
    signatures = aioli.columns.sign("UOV-Ip-pkc", messages, key)
    with pytest.raises(aioli.AlgorithmError):
        aioli.columns.verify("UOV-Ip-pkc", messages, signatures, key.public_key, device=device)
    may = aioli.columns.Device()  # leaves it to the processor
    assert aioli.columns.verify("UOV-Ip-pkc", messages, signatures, key.public_key, device=may).all_valid


def test_the_kernels_did_it(device):
    """The driver counts what it launched."""
    driver = ctypes.CDLL("libcuda.so.1")
    key, messages = rows("MAYO-2")
    before = driver_launches(driver)
    aioli.columns.verify("MAYO-2", messages, [b"\0" * key.algorithm.signature_bytes] * ROWS, key.public_key, device=device)
    assert driver_launches(driver) > before


def driver_launches(driver):
    driver.fake_launches.restype, driver.fake_launches.argtypes = ctypes.c_uint64, [ctypes.c_char_p]
    return driver.fake_launches(b"")

# SPDX-License-Identifier: Apache-2.0
"""What hypothesis draws from."""

from hashlib import shake_256
from itertools import pairwise

from hypothesis import strategies as st

from aioli_model import Params

# around the 136 bytes that SHAKE256 absorbs at a time, and around two of them
EDGE_LENGTHS = (0, 1, 135, 136, 137, 271, 272, 273)
MEGABYTE = 1 << 20


def stream(label: str, size: int) -> bytes:
    """Bytes that depend on nothing but the label."""
    return shake_256(label.encode()).digest(size)


def seeds(size: int) -> st.SearchStrategy[bytes]:
    return st.one_of(st.binary(min_size=size, max_size=size), st.sampled_from([bytes(size), b"\xff" * size]))


def _long(size_and_tag: tuple[int, int]) -> bytes:
    size, tag = size_and_tag
    return stream(f"long message {tag}", size)


messages = st.one_of(
    st.binary(max_size=300),
    st.sampled_from(EDGE_LENGTHS).flatmap(lambda size: st.binary(min_size=size, max_size=size)),
    st.tuples(st.integers(MEGABYTE, 3 * MEGABYTE), st.integers(0, 9)).map(_long),
)


@st.composite
def pieces(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """`data` cut at random places, some of them the same, so that there are empty pieces as well."""
    cuts = draw(st.lists(st.one_of(st.integers(0, len(data)), st.sampled_from(EDGE_LENGTHS)), max_size=6))
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[a:b] for a, b in pairwise(places)]


@st.composite
def mutations(draw: st.DrawFn, params: Params, signature: bytes) -> tuple[str, bytes]:
    """A name, and `signature` with something done to it; also nothing at all, and what a verifier cannot see."""
    kind = draw(st.sampled_from(["none", "bit", "nibble", "range", "swap", "block", "unused", "length", "random"]))
    changed = bytearray(signature)
    size, nibbles = len(signature), params.k * params.n
    if kind == "bit":
        bit = draw(st.integers(0, 8 * size - 1))
        changed[bit // 8] ^= 1 << bit % 8
    elif kind == "nibble":
        element, value = draw(st.integers(0, nibbles - 1)), draw(st.integers(1, 15))
        changed[element // 2] ^= value << 4 * (element % 2)
    elif kind == "range":
        a, b = sorted(draw(st.tuples(st.integers(0, size), st.integers(0, size))))
        changed[a:b] = bytes([draw(st.sampled_from([0, 255]))]) * (b - a)
    elif kind == "swap":
        a, b = draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))
        changed[a], changed[b] = changed[b], changed[a]
    elif kind == "block":  # the whole bytes of two blocks change places
        step = params.n // 2
        i, j = draw(st.integers(0, params.k - 1)), draw(st.integers(0, params.k - 1))
        changed[i * step : (i + 1) * step], changed[j * step : (j + 1) * step] = (
            changed[j * step : (j + 1) * step],
            changed[i * step : (i + 1) * step],
        )
    elif kind == "unused":  # the high nibble before the salt: part of s, or not, as k n is even or odd
        changed[params.s_bytes - 1] ^= draw(st.integers(1, 15)) << 4
    elif kind == "length":
        cut = draw(st.integers(0, size + 40).filter(lambda n: n != size))
        changed = (changed + bytes(40))[:cut]
    elif kind == "random":
        changed = bytearray(draw(st.binary(min_size=size, max_size=size)))
    return kind, bytes(changed)

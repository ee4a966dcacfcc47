# SPDX-License-Identifier: Apache-2.0
"""Bytes and what they stand for."""

import numpy as np

from .params import Params


def decode_nibbles(data: bytes, count: int) -> np.ndarray:
    """`count` elements, the low nibble of a byte first.  With an odd count the last high nibble is not looked at."""
    raw = np.frombuffer(data, dtype=np.uint8)
    return np.column_stack([raw & 15, raw >> 4]).reshape(-1)[:count].copy()


def encode_nibbles(elements: np.ndarray) -> bytes:
    """The inverse; with an odd count the last high nibble is zero."""
    flat = elements.reshape(-1)
    if flat.size % 2:
        flat = np.append(flat, np.uint8(0))
    return (flat[0::2] | flat[1::2] << 4).astype(np.uint8).tobytes()


def decode_m_vectors(params: Params, data: bytes, count: int) -> np.ndarray:
    """`count` m-vectors that follow each other without padding, as an array (m, count)."""
    m = params.m
    if params.bit_sliced:
        # four planes of m/8 bytes; plane b holds bit b of every element, element e at bit e % 8 of byte e // 8
        planes = np.frombuffer(data, dtype=np.uint8, count=count * m // 2).reshape(count, 4, m // 8)
        bits = np.unpackbits(planes, axis=2, bitorder="little")  # (count, 4, m)
        vectors = bits[:, 0] | bits[:, 1] << 1 | bits[:, 2] << 2 | bits[:, 3] << 3
    else:
        vectors = decode_nibbles(data[: count * m // 2], count * m).reshape(count, m)
    return np.ascontiguousarray(vectors.T)


def encode_m_vectors(params: Params, vectors: np.ndarray) -> bytes:
    """The inverse; `vectors` is (m, count)."""
    by_vector = np.ascontiguousarray(vectors.T)
    if params.bit_sliced:
        bits = by_vector[:, np.newaxis, :] >> np.arange(4, dtype=np.uint8)[:, np.newaxis] & 1  # (count, 4, m)
        return np.packbits(bits, axis=2, bitorder="little").tobytes()
    return encode_nibbles(by_vector)


def decode_upper(params: Params, data: bytes, size: int) -> np.ndarray:
    """Upper triangular matrices, one per equation: the entries (0,0), (0,1), .., (1,1), .. as m-vectors.  (m, size, size)."""
    rows, columns = np.triu_indices(size)
    matrix = np.zeros((params.m, size, size), dtype=np.uint8)
    matrix[:, rows, columns] = decode_m_vectors(params, data, rows.size)
    return matrix


def encode_upper(params: Params, matrix: np.ndarray) -> bytes:
    """The inverse; entries below the diagonal are not looked at."""
    rows, columns = np.triu_indices(matrix.shape[1])
    return encode_m_vectors(params, matrix[:, rows, columns])


def decode_matrix(params: Params, data: bytes, rows: int, columns: int) -> np.ndarray:
    """Full matrices, one per equation, row after row.  (m, rows, columns)."""
    return decode_m_vectors(params, data, rows * columns).reshape(params.m, rows, columns)

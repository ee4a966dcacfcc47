# SPDX-License-Identifier: Apache-2.0
"""aioli_model: the executable specification of MAYO, written for reading.

    params    the sixteen parameter sets
    field     GF(2^w), matrix products, the solver;  gf16  the field GF(16)
    whipping  multiplication by z in GF(16)[z]/(f), and the sums over pairs (i, j)
    encoding  bytes <-> vectors, m-vectors and matrices of them
    expand    seeds and hashes -> keys, targets, the linear term
    keygen, sign, verify
    drbg, kat the generator of NIST's known-answer files
    uov       another scheme: UOV, in one file

Notation.  q = 16; n = v + o variables, v "vinegar" and o "oil"; m equations; k blocks s_0 .. s_{k-1}.  A field element is a
numpy uint8 below 16.  The m equations always come *first* in a shape: P1 is an array (m, v, v), so that `matmul(P1, O)` is
the m products P1 O, one per equation, as numpy's matmul has it; a single m-vector has the shape (m,).

The model is for understanding and for test vectors.  It is not constant time and wipes nothing: never sign with it.
"""

import os

# The products are too small to gain from numpy's threads, which on a busy machine mostly wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from .keygen import keypair_from_seed, public_from_secret
from .params import BY_NAME, PARAMETER_SETS, Params
from .sign import NoSolution, sign
from .verify import verify

__all__ = ["BY_NAME", "PARAMETER_SETS", "NoSolution", "Params", "keypair_from_seed", "public_from_secret", "sign", "verify"]

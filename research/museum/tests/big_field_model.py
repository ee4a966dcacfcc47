#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model of GUI and HmFEv, written from the definitions (schemes/gui.hpp, schemes/hmfev.hpp), compared with what the C++ made.

usage: big_field_model.py PROGRAM    PROGRAM: museum_big_field_values

Fields are integers, bit i the coefficient of x^i.  Small sets: the whole public key by interpolation, GUI's signatures by
trying every X, and
that HmFEv's preimage is the only one.  Real sets: the public key at random points, and the signature under it.  Standard
library only.
"""

import hashlib
import itertools
import json
import random
import subprocess
import sys

F_TAIL = {2: (1, 1), 4: (2, 3), 256: (8, 0x1B)}  # q: (bits, y^bits)


def times(a, b, bits, tail):
    product = 0
    while b:
        low = b & -b
        product ^= a * low
        b ^= low
    for i in range(product.bit_length() - 1, bits - 1, -1):
        if product >> i & 1:
            product ^= (1 << i) ^ (tail << (i - bits))
    return product


class Fields:
    """F = GF(q) inside K = GF(2^bits), and coordinates."""

    def __init__(self, q, bits, tail):
        self.q, self.K, (self.b, self.f_tail) = q, (bits, tail), F_TAIL[q]
        self.bits, self.d = bits, bits // self.b
        self.table = [[times(x, y, self.b, self.f_tail) if self.b > 1 else x & y for y in range(q)] for x in range(q)]
        beta = 1 if q == 2 else self.find_beta()
        self.basis, power = [], 1
        for _ in range(self.d):
            e = power
            for _ in range(self.b):
                self.basis.append(e)
                e = self.mul(e, beta)
            power = self.mul(power, 2)
        # Elimination over GF(2) of basis elements, each with its number: gives coordinates.
        self.pivots = {}
        for i, e in enumerate(self.basis):
            e, who = self.reduced(e, 1 << i)
            self.pivots[e.bit_length() - 1] = (e, who)

    def mul(self, a, b):
        return times(a, b, *self.K)

    def power(self, a, e):
        result = 1
        while e:
            if e & 1:
                result = self.mul(result, a)
            a, e = self.mul(a, a), e >> 1
        return result

    def find_beta(self):
        for candidate in itertools.count(2):
            norm = self.power(candidate, (2**self.bits - 1) // (self.q - 1))
            beta = 1
            for _ in range(self.q - 1):
                beta = self.mul(beta, norm)
                total = self.power(beta, self.b)
                for j in range(self.b):
                    if self.f_tail >> j & 1:
                        total ^= self.power(beta, j)
                if total == 0:
                    return beta
        raise AssertionError

    def reduced(self, e, who):
        while e and e.bit_length() - 1 in self.pivots:
            pivot, number = self.pivots[e.bit_length() - 1]
            e, who = e ^ pivot, who ^ number
        return e, who

    def coordinates(self, e):
        rest, who = self.reduced(e, 0)
        assert rest == 0
        return [who >> (self.b * i) & (self.q - 1) for i in range(self.d)]

    def element(self, c):
        e = 0
        for i, ci in enumerate(c):
            for j in range(self.b):
                if ci >> j & 1:
                    e ^= self.basis[i * self.b + j]
        return e

    def image(self, c):
        return self.element([c] + [0] * (self.d - 1))

    def apply(self, A, x):
        y = []
        for row in A:
            total = 0
            for a, b in zip(row, x):
                total ^= self.table[a][b]
            y.append(total)
        return y

    def inverse(self, A):
        """None if A has none."""
        n = len(A)
        if self.q == 2:  # rows as numbers
            rows = [sum(bit << j for j, bit in enumerate(row)) | 1 << (n + i) for i, row in enumerate(A)]
            for c in range(n):
                p = next((i for i in range(c, n) if rows[i] >> c & 1), None)
                if p is None:
                    return None
                rows[c], rows[p] = rows[p], rows[c]
                rows = [row ^ rows[c] if i != c and row >> c & 1 else row for i, row in enumerate(rows)]
            return [[row >> (n + j) & 1 for j in range(n)] for row in rows]
        M = [list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(A)]
        for c in range(n):
            p = next((i for i in range(c, n) if M[i][c]), None)
            if p is None:
                return None
            M[c], M[p] = M[p], M[c]
            scale = self.table[self.table[M[c][c]].index(1)]
            M[c] = [scale[x] for x in M[c]]
            for i in range(n):
                if i != c and M[i][c]:
                    t = self.table[M[i][c]]
                    M[i] = [x ^ t[y] for x, y in zip(M[i], M[c])]
        return [row[n:] for row in M]

    def unpack(self, data, count):
        value = int.from_bytes(data, "little")
        assert value >> (self.b * (8 * len(data) // self.b)) == 0
        return [value >> (self.b * i) & (self.q - 1) for i in range(count)]

    def pack(self, e):
        value = sum(x << (self.b * i) for i, x in enumerate(e))
        return value.to_bytes((self.b * len(e) + 7) // 8, "little")

    def sample(self, count, *parts):
        return self.unpack(hashlib.shake_256(b"".join(parts)).digest((self.b * count + 7) // 8), count)


class Key:
    """slots(X): the Z; terms: the pairs (a, b) of products of Z that occur; t elements of K, v vinegars, m equations."""

    def __init__(self, fields, seed, t, v, m, slots, slot_count, terms):
        self.f, self.seed, self.t, self.v, self.m, self.slots = fields, seed, t, v, m, slots
        self.n, self.part = t * fields.d, 0
        self.S, self.S_inverse = self.invertible(self.n + v)
        self.T, self.T_inverse = self.invertible(self.n)
        self.s0, self.t0 = self.draw(self.n + v), self.draw(self.n)
        self.polynomials = []
        for _ in range(t):
            alpha = {term: self.draw_element() for term in terms}
            beta = [[self.draw_element() for _ in range(v + 1)] for _ in range(slot_count)]
            gamma = {(i, j): self.draw_element() for i in range(v + 1) for j in range(i, v + 1)}
            self.polynomials.append((alpha, beta, gamma))
        # The constants of the public map are zero.
        self.t0[:m] = [0] * m
        self.t0[:m] = self.public([0] * (self.n + v))

    def draw(self, count):
        self.part += 1
        return self.f.sample(count, self.seed, (self.part - 1).to_bytes(2, "little"))

    def draw_element(self):
        return self.f.element(self.draw(self.f.d))

    def invertible(self, n):
        while True:
            A = [self.draw(n) for _ in range(n)]
            inverse = self.f.inverse(A)
            if inverse:
                return A, inverse

    def central(self, X, w):
        f, Z, w = self.f, self.slots(X), [*w, 1]
        Y = []
        for alpha, beta, gamma in self.polynomials:
            y = 0
            for (a, b), c in alpha.items():
                y ^= f.mul(c, f.mul(Z[a], Z[b]))
            for z, row in zip(Z, beta):
                for wj, c in zip(w, row):
                    y ^= f.mul(z, f.mul(f.image(wj), c)) if wj else 0
            for (i, j), c in gamma.items():
                y ^= f.mul(f.image(f.table[w[i]][w[j]]), c) if w[i] and w[j] else 0
            Y.append(y)
        return Y

    def public(self, x):
        f = self.f
        y = [a ^ b for a, b in zip(f.apply(self.S, x), self.s0)]
        X = [f.element(y[k * f.d : (k + 1) * f.d]) for k in range(self.t)]
        Y = [c for e in self.central(X, y[self.n :]) for c in f.coordinates(e)]
        return [a ^ b for a, b in zip(f.apply(self.T[: self.m], Y), self.t0)]

    def to_central(self, y):
        f = self.f
        y = f.apply(self.T_inverse, [a ^ b for a, b in zip(y, self.t0)])
        return [f.element(y[k * f.d : (k + 1) * f.d]) for k in range(self.t)]

    def from_central(self, X, w):
        x = [c for e in X for c in self.f.coordinates(e)] + list(w)
        return self.f.apply(self.S_inverse, [a ^ b for a, b in zip(x, self.s0)])


def gui(q, n, D, a, v, k, tail, seed):
    b = F_TAIL[q][0]
    fields = Fields(q, n * b, tail)
    exponents = [i for i in range(n) if q**i <= D]
    terms = [(i, j) for i in exponents for j in exponents if i <= j and q**i + q**j <= D and not (q == 2 and i == j)]

    def slots(X):
        return [fields.power(X[0], q**i) for i in exponents]

    return Key(fields, seed, 1, v, n - a, slots, len(exponents), terms)


def hmfev(q, d, v, tail, seed):
    fields = Fields(q, d * F_TAIL[q][0], tail)
    return Key(fields, seed, 3, v, 3 * d, lambda X: X, 3, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)])


def interpolated(key):
    """The encoded public key, from values of the public map."""
    N, f, q = key.n + key.v, key.f, key.f.q

    def at(*entries):
        x = [0] * N
        for i, c in entries:
            x[i] = c
        return key.public(x)

    one = [at((i, 1)) for i in range(N)]
    squares, linear = one, []
    if q > 2:  # P(2 e_i) + 2 P(e_i) = (4 + 2) square
        quotient = f.table[f.table[f.table[2][2] ^ 2].index(1)]
        squares = [[quotient[y ^ f.table[2][z]] for y, z in zip(at((i, 2)), one[i])] for i in range(N)]
        linear = [[y ^ z for y, z in zip(one[i], squares[i])] for i in range(N)]
    quadratic = []
    for i in range(N):
        quadratic.append(squares[i])
        quadratic += [[x ^ y ^ z for x, y, z in zip(at((i, 1), (j, 1)), one[i], one[j])] for j in range(i + 1, N)]
    return f.pack([c for row in quadratic + linear for c in row])


def evaluator(key, data):
    """x -> P(x) from the encoded public key: a number to each monomial, of which whole rows are added up."""
    N, f, m = key.n + key.v, key.f, key.m
    monomials = [(i, j) for i in range(N) for j in range(i, N)] + ([(i, None) for i in range(N)] if f.q > 2 else [])
    assert len(data) == (len(monomials) * m * f.b + 7) // 8
    value, rows, width = int.from_bytes(data, "little"), [], m * f.b
    for start in range(0, len(monomials), 256):  # in chunks: shifting all of it for each would take long
        chunk = value & ((1 << (width * 256)) - 1)
        value >>= width * 256
        rows += [chunk >> (width * i) & ((1 << width) - 1) for i in range(min(256, len(monomials) - start))]
    assert value == 0

    def evaluate(x):
        sums = [0] * f.q  # of the rows of all monomials with the same value
        for (i, j), row in zip(monomials, rows):
            sums[x[i] if j is None else f.table[x[i]][x[j]]] ^= row
        y = [0] * m
        for c in range(1, f.q):
            y = [a ^ f.table[c][sums[c] >> (f.b * e) & (f.q - 1)] for e, a in enumerate(y)]
        return y

    return evaluate


def digests(key, message, k):
    hashes = []
    for _ in range(k):
        message = hashlib.sha256(message).digest()
        hashes.append(key.f.unpack(message, key.m))
    return hashes


def sign_gui(key, message, a, k):
    f, m, whole = key.f, key.m, hashlib.sha256(message).digest()
    S, extras = [0] * m, []
    for i, digest in enumerate(digests(key, message, k), 1):
        for attempt in range(256):
            free = f.sample(a + key.v, key.seed, whole, bytes([i, attempt]))
            Y = key.to_central([x ^ y for x, y in zip(digest, S)] + free[:a])
            roots = [X for X in range(2**f.bits) if key.central([X], free[a:]) == Y]
            if len(roots) == 1:
                break
        x = key.from_central(roots, free[a:])
        S, extras = x[:m], x[m:] + extras
    return f.pack(S + extras)


def verify_gui(key, evaluate, message, signature, a, k):
    m, extra = key.m, a + key.v
    x = key.f.unpack(signature, m + k * extra)
    S, rest = x[:m], x[m:]
    for i, digest in reversed(list(enumerate(digests(key, message, k)))):
        j = k - 1 - i
        S = [y ^ h for y, h in zip(evaluate(S + rest[j * extra : (j + 1) * extra]), digest)]
    return not any(S)


def compare(case):
    if "field" in case:
        a, b, product, inverse = (int.from_bytes(bytes.fromhex(case[k]), "little") for k in ("a", "b", "product", "inverse"))
        K = case["field"], case["tail"]
        return times(a, b, *K) == product and (times(a, inverse, *K) == 1 if a else inverse == 0)
    seed, message = case["seed"].encode(), case["message"].encode()
    public, signature = bytes.fromhex(case["public"]), bytes.fromhex(case["signature"])
    if "gui" in case:
        q, n, D, a, v, k = case["gui"]
        key, small = gui(q, n, D, a, v, k, case["tail"], seed), n <= 12
    else:
        q, n, v = case["hmfev"]
        key, small = hmfev(q, n, v, case["tail"], seed), n <= 3
    evaluate = evaluator(key, public)
    generator = random.Random(17)
    points = [[generator.randrange(q) for _ in range(key.n + key.v)] for _ in range(2)]
    good = all(evaluate(x) == key.public(x) for x in points) and (not small or interpolated(key) == public)
    if "gui" in case:
        good = good and verify_gui(key, evaluate, message, signature, a, k)
        good = good and not verify_gui(key, evaluate, message + b"!", signature, a, k)
        return good and (not small or sign_gui(key, message, a, k) == signature)
    x = key.f.unpack(signature, key.n + key.v)
    target = key.f.sample(key.m, message)
    good = good and evaluate(x) == target
    if good and key.f.bits <= 6:  # the only preimage with these vinegars
        y = [s ^ c for s, c in zip(key.f.apply(key.S, x), key.s0)]
        good = preimages(key, key.to_central(target), y[key.n :]) == 1
    return good


def preimages(key, Y, w):
    """How many X in K^3 the central map of HmFEv takes to Y with the vinegars w.  Every X is tried; those for which the first
    polynomial, computed by tables, is something else need no more."""
    everything = range(2**key.f.bits)
    times = [[key.f.mul(i, j) for j in everything] for i in everything]
    alpha, at_zero = key.polynomials[0][0], key.central([0, 0, 0], w)[0]
    linear = [key.central([int(i == a) for i in range(3)], w)[0] ^ at_zero ^ alpha[a, a] for a in range(3)]
    of_X3 = [times[alpha[2, 2]][times[x][x]] for x in everything]

    def first(X1, X2):  # the first polynomial for all X3
        rest = at_zero ^ times[linear[0]][X1] ^ times[linear[1]][X2]
        for (a, b), product in (((0, 0), times[X1][X1]), ((0, 1), times[X1][X2]), ((1, 1), times[X2][X2])):
            rest ^= times[alpha[a, b]][product]
        slope = times[linear[2] ^ times[alpha[0, 2]][X1] ^ times[alpha[1, 2]][X2]]
        return [rest ^ s ^ x for s, x in zip(slope, of_X3)]

    assert all(first(x, 5)[7] == key.central([x, 5, 7], w)[0] for x in everything)
    count = 0
    for X1, X2 in itertools.product(everything, repeat=2):
        count += sum(y == Y[0] and key.central([X1, X2, X3], w) == Y for X3, y in enumerate(first(X1, X2)))
    return count


def main():
    lines = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=True).stdout.splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = [case for case in cases if not compare(case)]
    for case in wrong:
        print("wrong:", {k: v for k, v in case.items() if k not in ("public", "signature")})
    print(f"{len(cases)} cases, {len(wrong)} wrong")
    sys.exit(1 if wrong or len(cases) < 53 else 0)


if __name__ == "__main__":
    main()

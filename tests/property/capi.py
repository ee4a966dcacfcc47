# SPDX-License-Identifier: Apache-2.0
"""A thin, typed ctypes binding of <aioli/aioli.h> for the tests.

Every call returns its status and never raises for one; outputs come back as bytes, also after an error, so that a test can see
that they are zero.  Outputs, workspaces and objects lie between guard bytes, and each call checks that the guards are untouched.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import POINTER, Structure, c_char_p, c_int, c_size_t, c_void_p
from dataclasses import dataclass
from enum import IntEnum

Rng = Callable[[int], bytes]  # n -> n bytes


class Status(IntEnum):
    OK = 0
    SIGNATURE = -1
    ARGUMENT = -2
    LENGTH = -3
    BUFFER = -4
    RNG = -5
    NO_SOLUTION = -6
    MEMORY = -7
    ALGORITHM = -8
    BACKEND = -9
    STATE = -10
    SELFTEST = -11
    FORMAT = -12
    OID = -13
    MISMATCH = -14
    ABSENT = -15
    NO_DEVICE = -16
    DEVICE = -17
    ENCRYPTED = -18


class Op(IntEnum):
    KEYPAIR = 0
    SIGN = 1
    VERIFY = 2
    SIGNER_INIT = 3
    SIGNER_SIGN = 4
    VERIFIER_INIT = 5
    VERIFIER_VERIFY = 6


_RNG_FN = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)


class _Env(Structure):
    _fields_ = [("rng", c_void_p), ("rng_context", c_void_p), ("workspace", c_void_p), ("workspace_bytes", c_size_t)]


_STATUS, _HANDLE, _BYTES, _ENV = c_int, c_void_p, c_void_p, POINTER(_Env)
_IN = (_BYTES, c_size_t)  # a buffer and its length
_OBJECT = POINTER(c_void_p)

# name without aioli_: (result, arguments), in the order of the header
PROTOTYPES: dict[str, tuple[object, tuple[object, ...]]] = {
    "status_text": (c_char_p, (c_int,)),
    "version": (c_char_p, ()),
    "alg_by_name": (_HANDLE, (c_char_p,)),
    "alg_count": (c_size_t, ()),
    "alg_at": (_HANDLE, (c_size_t,)),
    "alg_name": (c_char_p, (_HANDLE,)),
    "alg_round": (c_int, (_HANDLE,)),
    "alg_category": (c_int, (_HANDLE,)),
    "public_key_bytes": (c_size_t, (_HANDLE,)),
    "secret_key_bytes": (c_size_t, (_HANDLE,)),
    "seed_bytes": (c_size_t, (_HANDLE,)),
    "signature_bytes": (c_size_t, (_HANDLE,)),
    "randomness_bytes": (c_size_t, (_HANDLE,)),
    "digest_bytes": (c_size_t, (_HANDLE,)),
    "rng_system": (c_int, (c_void_p, *_IN)),
    "rng_zero": (c_int, (c_void_p, *_IN)),
    "workspace_bytes": (c_size_t, (_HANDLE, c_int)),
    "workspace_least_bytes": (c_size_t, (_HANDLE, c_int)),
    "keypair": (_STATUS, (_HANDLE, *_IN, *_IN, _ENV)),
    "keypair_from_seed": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, _ENV)),
    "public_from_secret": (_STATUS, (_HANDLE, *_IN, *_IN, _ENV)),
    "sign": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, _ENV)),
    "sign_deterministic": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, _ENV)),
    "sign_with_randomness": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, *_IN, _ENV)),
    "verify": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, _ENV)),
    "hash_init": (_STATUS, (c_void_p, _HANDLE)),
    "hash_update": (_STATUS, (c_void_p, *_IN)),
    "hash_final": (_STATUS, (c_void_p, *_IN)),
    "sign_final": (_STATUS, (c_void_p, *_IN, *_IN, _ENV)),
    "verify_final": (_STATUS, (c_void_p, *_IN, *_IN, _ENV)),
    "sign_digest": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, _ENV)),
    "verify_digest": (_STATUS, (_HANDLE, *_IN, *_IN, *_IN, _ENV)),
    "signer_bytes": (c_size_t, (_HANDLE,)),
    "verifier_bytes": (c_size_t, (_HANDLE,)),
    "signer_init": (_STATUS, (_OBJECT, *_IN, _HANDLE, *_IN, _ENV)),
    "signer_new": (_STATUS, (_OBJECT, _HANDLE, *_IN)),
    "signer_wipe": (None, (_HANDLE,)),
    "signer_free": (None, (_HANDLE,)),
    "signer_alg": (_HANDLE, (_HANDLE,)),
    "signer_sign": (_STATUS, (_HANDLE, *_IN, *_IN, _ENV)),
    "signer_sign_digest": (_STATUS, (_HANDLE, *_IN, *_IN, _ENV)),
    "signer_sign_final": (_STATUS, (_HANDLE, c_void_p, *_IN, _ENV)),
    "verifier_init": (_STATUS, (_OBJECT, *_IN, _HANDLE, *_IN, _ENV)),
    "verifier_new": (_STATUS, (_OBJECT, _HANDLE, *_IN)),
    "verifier_free": (None, (_HANDLE,)),
    "verifier_alg": (_HANDLE, (_HANDLE,)),
    "verifier_verify": (_STATUS, (_HANDLE, *_IN, *_IN, _ENV)),
    "digest_batch": (_STATUS, (_HANDLE, _BYTES, c_size_t, c_void_p, c_void_p, c_size_t)),
    "verifier_verify_digest": (_STATUS, (_HANDLE, *_IN, *_IN, _ENV)),
    "verifier_verify_final": (_STATUS, (_HANDLE, c_void_p, *_IN, _ENV)),
    "backend_count": (c_size_t, ()),
    "backend_name": (c_char_p, (c_size_t,)),
    "backend_usable": (c_int, (c_size_t,)),
    "backend_active": (c_char_p, ()),
    "selftest": (_STATUS, (_HANDLE,)),
}


class Guarded:
    """`size` bytes of memory, filled with FILLING, between guards; the address is `offset` modulo 64."""

    GUARD = bytes(range(0x60, 0xA0))
    FILLING = 0xA5

    def __init__(self, size: int, offset: int = 0) -> None:
        self.size = size
        self._raw = ctypes.create_string_buffer(size + 64 + 2 * len(self.GUARD))
        base = ctypes.addressof(self._raw)
        self._start = len(self.GUARD) + (offset - base - len(self.GUARD)) % 64
        self.address = base + self._start
        ctypes.memmove(self.address - len(self.GUARD), self.GUARD, len(self.GUARD))
        ctypes.memset(self.address, self.FILLING, size)
        ctypes.memmove(self.address + size, self.GUARD, len(self.GUARD))

    def check(self) -> None:
        for side, address in (("before", self.address - len(self.GUARD)), ("behind", self.address + self.size)):
            assert ctypes.string_at(address, len(self.GUARD)) == self.GUARD, f"written {side} a buffer of {self.size} bytes"

    def bytes(self) -> bytes:
        self.check()
        return ctypes.string_at(self.address, self.size)


class Env:
    """An aioli_env: a source of randomness, a workspace, or both.  If `failing`, the source writes and then fails."""

    def __init__(self, rng: Rng | None = None, workspace: Guarded | None = None, failing: bool = False) -> None:
        self.workspace = workspace
        self.requests: list[int] = []  # the sizes that the library asked its source of randomness for

        def call(_context: int | None, out: int, n: int) -> int:
            self.requests.append(n)
            data = rng(n) if rng else b""
            if len(data) != n:
                return -1
            ctypes.memmove(out, data, n)
            return -1 if failing else 0

        self._callback = _RNG_FN(call)  # must live as long as the environment
        self.struct = _Env(
            ctypes.cast(self._callback, c_void_p) if rng else None,
            None,
            workspace.address if workspace else None,
            workspace.size if workspace else 0,
        )


@dataclass(frozen=True)
class Alg:
    """A parameter set of the library."""

    handle: int
    name: str
    round: int
    category: int
    pk_bytes: int
    sk_bytes: int
    sig_bytes: int
    R_bytes: int
    digest_bytes: int
    signer_bytes: int
    verifier_bytes: int


class Hash:
    """An aioli_hash between guards."""

    def __init__(self) -> None:
        self.memory = Guarded(8 * 32)
        self.address = self.memory.address


@dataclass(frozen=True)
class Object:
    """A signer or a verifier."""

    status: Status
    address: int | None
    memory: Guarded | None  # of the caller; None on the heap


class Aioli:
    """The shared library at `path`.  Methods are named as in the header, without aioli_."""

    def __init__(self, path: str) -> None:
        self.c = ctypes.CDLL(path)
        for name, (result, arguments) in PROTOTYPES.items():
            function = getattr(self.c, f"aioli_{name}")
            function.restype, function.argtypes = result, arguments

    # -- plumbing --

    def _call(self, name: str, *arguments: object, env: Env | None = None, guarded: tuple[Guarded, ...] = ()) -> Status:
        status = getattr(self.c, f"aioli_{name}")(*arguments, None if env is None else ctypes.byref(env.struct))
        for memory in guarded + ((env.workspace,) if env and env.workspace else ()):
            memory.check()
        return Status(status)

    @staticmethod
    def _in(data: bytes | None) -> tuple[bytes | None, int]:
        return data, 0 if data is None else len(data)

    # -- algorithms, backends --

    def alg(self, name: str) -> Alg:
        handle = self.c.aioli_alg_by_name(name.encode())
        assert handle, f"the library does not know {name}"
        c = self.c
        return Alg(
            handle,
            c.aioli_alg_name(handle).decode(),
            c.aioli_alg_round(handle),
            c.aioli_alg_category(handle),
            c.aioli_public_key_bytes(handle),
            c.aioli_secret_key_bytes(handle),
            c.aioli_signature_bytes(handle),
            c.aioli_randomness_bytes(handle),
            c.aioli_digest_bytes(handle),
            c.aioli_signer_bytes(handle),
            c.aioli_verifier_bytes(handle),
        )

    def alg_names(self) -> list[str]:
        return [self.c.aioli_alg_name(self.c.aioli_alg_at(i)).decode() for i in range(self.c.aioli_alg_count())]

    def workspace(self, alg: Alg, op: Op, offset: int = 0) -> Guarded:
        """A workspace of exactly the published size."""
        return Guarded(self.c.aioli_workspace_bytes(alg.handle, op), offset)

    def backends(self) -> dict[str, bool]:
        """Name -> whether this processor can run it."""
        count = self.c.aioli_backend_count()
        return {self.c.aioli_backend_name(i).decode(): bool(self.c.aioli_backend_usable(i)) for i in range(count)}

    def backend_active(self) -> str | None:
        name = self.c.aioli_backend_active()
        return None if name is None else name.decode()

    # -- keys --

    def keypair(
        self, alg: Alg, env: Env | None = None, pk_bytes: int | None = None, sk_bytes: int | None = None
    ) -> tuple[Status, bytes, bytes]:
        pk = Guarded(alg.pk_bytes if pk_bytes is None else pk_bytes)
        sk = Guarded(alg.sk_bytes if sk_bytes is None else sk_bytes)
        status = self._call("keypair", alg.handle, pk.address, pk.size, sk.address, sk.size, env=env)
        return status, pk.bytes(), sk.bytes()

    def keypair_from_seed(
        self, alg: Alg, seed: bytes | None, env: Env | None = None, pk_bytes: int | None = None, sk_bytes: int | None = None
    ) -> tuple[Status, bytes, bytes]:
        pk = Guarded(alg.pk_bytes if pk_bytes is None else pk_bytes)
        sk = Guarded(alg.sk_bytes if sk_bytes is None else sk_bytes)
        status = self._call("keypair_from_seed", alg.handle, pk.address, pk.size, sk.address, sk.size, *self._in(seed), env=env)
        return status, pk.bytes(), sk.bytes()

    def keypair_from_seed_in_place(self, alg: Alg, seed: bytes) -> tuple[Status, bytes, bytes]:
        """The seed lies where the secret key goes, which the header allows."""
        pk, sk = Guarded(alg.pk_bytes), Guarded(len(seed))
        ctypes.memmove(sk.address, seed, len(seed))
        status = self._call("keypair_from_seed", alg.handle, pk.address, pk.size, sk.address, sk.size, sk.address, sk.size)
        return status, pk.bytes(), sk.bytes()

    def public_from_secret(
        self, alg: Alg, sk: bytes | None, env: Env | None = None, pk_bytes: int | None = None
    ) -> tuple[Status, bytes]:
        pk = Guarded(alg.pk_bytes if pk_bytes is None else pk_bytes)
        return self._call("public_from_secret", alg.handle, pk.address, pk.size, *self._in(sk), env=env), pk.bytes()

    # -- signing with a secret key --

    def _sign(self, name: str, alg: Alg, *inputs: bytes | None, env: Env | None, sig_bytes: int | None) -> tuple[Status, bytes]:
        sig = Guarded(alg.sig_bytes if sig_bytes is None else sig_bytes)
        flat = [part for data in inputs for part in self._in(data)]
        return self._call(name, alg.handle, sig.address, sig.size, *flat, env=env), sig.bytes()

    def sign(
        self, alg: Alg, msg: bytes | None, sk: bytes | None, env: Env | None = None, sig_bytes: int | None = None
    ) -> tuple[Status, bytes]:
        return self._sign("sign", alg, msg, sk, env=env, sig_bytes=sig_bytes)

    def sign_deterministic(
        self, alg: Alg, msg: bytes | None, sk: bytes | None, env: Env | None = None, sig_bytes: int | None = None
    ) -> tuple[Status, bytes]:
        return self._sign("sign_deterministic", alg, msg, sk, env=env, sig_bytes=sig_bytes)

    def sign_with_randomness(
        self, alg: Alg, msg: bytes | None, sk: bytes | None, R: bytes | None, env: Env | None = None, sig_bytes: int | None = None
    ) -> tuple[Status, bytes]:
        return self._sign("sign_with_randomness", alg, msg, sk, R, env=env, sig_bytes=sig_bytes)

    def sign_digest(
        self, alg: Alg, digest: bytes | None, sk: bytes | None, env: Env | None = None, sig_bytes: int | None = None
    ) -> tuple[Status, bytes]:
        return self._sign("sign_digest", alg, digest, sk, env=env, sig_bytes=sig_bytes)

    # -- verifying with a public key --

    def verify(self, alg: Alg, sig: bytes | None, msg: bytes | None, pk: bytes | None, env: Env | None = None) -> Status:
        return self._call("verify", alg.handle, *self._in(sig), *self._in(msg), *self._in(pk), env=env)

    def verify_digest(
        self, alg: Alg, sig: bytes | None, digest: bytes | None, pk: bytes | None, env: Env | None = None
    ) -> Status:
        return self._call("verify_digest", alg.handle, *self._in(sig), *self._in(digest), *self._in(pk), env=env)

    # -- messages in pieces --

    def hash_init(self, h: Hash, alg: Alg) -> Status:
        status = Status(self.c.aioli_hash_init(h.address, alg.handle))
        h.memory.check()
        return status

    def hash_update(self, h: Hash, data: bytes | None) -> Status:
        status = Status(self.c.aioli_hash_update(h.address, *self._in(data)))
        h.memory.check()
        return status

    def hash_final(self, h: Hash, digest_bytes: int) -> tuple[Status, bytes]:
        digest = Guarded(digest_bytes)
        status = Status(self.c.aioli_hash_final(h.address, digest.address, digest.size))
        h.memory.check()
        return status, digest.bytes()

    def hash(self, alg: Alg, pieces: list[bytes]) -> Hash:
        """A hash that has absorbed `pieces`."""
        h = Hash()
        assert self.hash_init(h, alg) == Status.OK
        for piece in pieces:
            assert self.hash_update(h, piece) == Status.OK
        return h

    def sign_final(self, h: Hash, sig_bytes: int, sk: bytes | None, env: Env | None = None) -> tuple[Status, bytes]:
        sig = Guarded(sig_bytes)
        status = self._call("sign_final", h.address, sig.address, sig.size, *self._in(sk), env=env, guarded=(h.memory,))
        return status, sig.bytes()

    def verify_final(self, h: Hash, sig: bytes | None, pk: bytes | None, env: Env | None = None) -> Status:
        return self._call("verify_final", h.address, *self._in(sig), *self._in(pk), env=env, guarded=(h.memory,))

    # -- expanded keys --

    def _new(self, kind: str, alg: Alg, key: bytes | None, memory: Guarded | None, env: Env | None) -> Object:
        address = c_void_p(0xDEAD)  # must be overwritten, also on errors
        if memory is None:
            assert env is None, "the _new functions take no environment"
            function = getattr(self.c, f"aioli_{kind}_new")
            status = Status(function(ctypes.byref(address), alg.handle, *self._in(key)))
        else:
            status = self._call(
                f"{kind}_init",
                ctypes.byref(address),
                memory.address,
                memory.size,
                alg.handle,
                *self._in(key),
                env=env,
                guarded=(memory,),
            )
        assert (address.value is not None) == (status == Status.OK), f"{kind}: {status!r}, but the object is {address.value}"
        return Object(status, address.value, memory)

    @contextmanager
    def signer(self, alg: Alg, sk: bytes | None, memory: Guarded | None = None, env: Env | None = None) -> Iterator[Object]:
        """With `memory` in there, otherwise on the heap.  Wiped, and freed if it was on the heap, at the end."""
        signer = self._new("signer", alg, sk, memory, env)
        try:
            yield signer
        finally:
            (self.c.aioli_signer_free if memory is None else self.c.aioli_signer_wipe)(signer.address)

    @contextmanager
    def verifier(self, alg: Alg, pk: bytes | None, memory: Guarded | None = None, env: Env | None = None) -> Iterator[Object]:
        verifier = self._new("verifier", alg, pk, memory, env)
        try:
            yield verifier
        finally:
            if memory is None:
                self.c.aioli_verifier_free(verifier.address)

    def signer_sign(self, signer: Object, sig_bytes: int, msg: bytes | None, env: Env | None = None) -> tuple[Status, bytes]:
        sig = Guarded(sig_bytes)
        return self._call("signer_sign", signer.address, sig.address, sig.size, *self._in(msg), env=env), sig.bytes()

    def signer_sign_digest(
        self, signer: Object, sig_bytes: int, digest: bytes | None, env: Env | None = None
    ) -> tuple[Status, bytes]:
        sig = Guarded(sig_bytes)
        return self._call("signer_sign_digest", signer.address, sig.address, sig.size, *self._in(digest), env=env), sig.bytes()

    def signer_sign_final(self, signer: Object, h: Hash, sig_bytes: int, env: Env | None = None) -> tuple[Status, bytes]:
        sig = Guarded(sig_bytes)
        status = self._call("signer_sign_final", signer.address, h.address, sig.address, sig.size, env=env, guarded=(h.memory,))
        return status, sig.bytes()

    def verifier_verify(self, verifier: Object, sig: bytes | None, msg: bytes | None, env: Env | None = None) -> Status:
        return self._call("verifier_verify", verifier.address, *self._in(sig), *self._in(msg), env=env)

    def verifier_verify_digest(self, verifier: Object, sig: bytes | None, digest: bytes | None, env: Env | None = None) -> Status:
        return self._call("verifier_verify_digest", verifier.address, *self._in(sig), *self._in(digest), env=env)

    def verifier_verify_final(self, verifier: Object, h: Hash, sig: bytes | None, env: Env | None = None) -> Status:
        return self._call("verifier_verify_final", verifier.address, h.address, *self._in(sig), env=env, guarded=(h.memory,))

# SPDX-License-Identifier: Apache-2.0
# The front door.  Each target first sets up what it needs (tools/setup), so that any of them works on a fresh Debian 12 machine;
# but `make rust` and `make interop`, which want a cargo newer than Debian 12 has.
# What really builds is CMake (see CMakePresets.json); nothing here hides it from those who prefer it.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 600
PREFIX ?= /usr/local
export FUZZ_SECONDS JOBS
MAKEFLAGS += --no-print-directory

.PHONY: help demo build test gpu-code rust check ct fuzz bench limits nibbling museum estimates m4 arm64 openssl openssl4 tls
.PHONY: interop two-files dist dist-test deb conan prove gpu gpu-build python ray wheel install uninstall docs site sizes abi
.PHONY: format clean wasm
.DEFAULT_GOAL := build

help:
	@echo "make demo      build, then sign and verify a file in front of you"
	@echo "make build     the command line, build/aioli, and the libraries"
	@echo "make test      all tests that are quick, also under sanitizers; 25 to 35 minutes on two cores"
	@echo "make gpu-code  the CUDA kernels compiled and their machine code counted, without a GPU; fetches CUDA's compiler (120 MB)"
	@echo "make rust      the crates aioli-sys and aioli tested: lints, tests, packages, what a call costs; wants cargo 1.85"
	@echo "make wasm      WebAssembly for Node and browsers, its page; tests in Node and Chromium; speed beside liboqs-js"
	@echo "make check     the long ones: big-endian and 32-bit machines, clang, clang-tidy, constant time at every level"
	@echo "make ct        constant-time checks with both compilers at -O1, -O2 and -O3"
	@echo "make fuzz      every fuzzer for FUZZ_SECONDS ($(FUZZ_SECONDS)) each"
	@echo "make bench     speed, ours and others'"
	@echo "make limits    every operation of MAYO beside the least time that its instructions can take on this machine"
	@echo "make nibbling  the experiment of the paper Nibbling MAYO: bit-sliced against nibble-sliced keys"
	@echo "make museum    run every attack of the museum, and rewrite its pages and figures"
	@echo "make estimates what known attacks cost on the sets of UOV and MAYO, from a cache"
	@echo "make python    the Python package, compiled as pip does, in an environment of its own; its tests"
	@echo "make ray       the Python package on Ray, whose nodes and processes are killed, and on Spark"
	@echo "make wheel     build/python/wheels/*.whl, tested in an empty environment"
	@echo "make m4        on an emulated Cortex-M4: all tests, instructions of every set beside the published code's, build/m4.json"
	@echo "make openssl   the provider for OpenSSL 3, build/ossl-modules/aioli.so"
	@echo "make tls       nginx and curl over MAYO (docs/tls.md), OpenSSL 3.5 of Debian 13 in build/trixie; handshakes per second"
	@echo "make openssl4  the provider for OpenSSL 4.0 of Debian experimental, tested with it"
	@echo "make prove     CBMC on what reads DER in the provider, for all files up to a bound"
	@echo "make interop   round 2 against Bouncy Castle, liboqs, liboqs-js, pq-mayo and uov-rs, both ways; writes docs/interop.md"
	@echo "make arm64     under qemu-aarch64: equal traces, instructions beside liboqs' NEON, models of hot loops"
	@echo "make gpu-build without a GPU: libaioli_cuda, all sets for all architectures, the machine code counted"
	@echo "make gpu       with a GPU: outputs compared, compute-sanitizer, speed beside the processor and a naive port"
	@echo "make two-files the library as two files to copy, compiled for several machines (docs/two-files.md)"
	@echo "make dist      build/dist: source archive, two files, bill of materials, checksums; KEY=FILE.key signs (docs/releases.md)"
	@echo "make dist-test two releases of one commit compared, signed, checked, damaged, and built from"
	@echo "make deb       build/deb/*.deb, looked at by lintian, installed in an empty Debian 12 and removed (docs/packages.md)"
	@echo "make conan     the Conan recipe, which builds and tests the package in a folder of its own"
	@echo "make install   to PREFIX ($(PREFIX)); DESTDIR is honoured"
	@echo "make uninstall removes what the last make install wrote"
	@echo "make docs      rewrite the generated parts of the documents"
	@echo "make site      the documents as a site, build/site/index.html, its links checked; fetches mkdocs-material from PyPI"
	@echo "make sizes     rewrite include/aioli/sizes.h, and what Rust has of it"
	@echo "make abi       rewrite tests/abi/libaioli.abi, the description of the binary interface"
	@echo "make format    lay the code out as .clang-format says"
	@echo "make clean     remove build/"

# What the command line needs and no more: without the sets of earlier rounds, which are two thirds of what there is to compile.
demo:
	@tools/setup build
	@cmake -S . -B build/demo -G Ninja -DCMAKE_BUILD_TYPE=Release -DAIOLI_ONLY_ROUND_3=ON
	@echo "demo: compiling the command line and the library in it, the sets of round 3 for every processor of this kind:"
	@echo "      about a minute on two cores"
	@cmake --build build/demo --parallel $(JOBS) --target aioli-cli
	@sh cli/demo.sh build/demo/aioli

# A build that has tests keeps them: this target only ever adds.
build:
	@tools/setup build
	@test -e build/build.ninja || cmake --preset release
	@cmake --build build --parallel $(JOBS) --target aioli-cli aioli_shared aioli_static \
	  aioli_batch_shared aioli_batch_static aioli_nistapi

test:
	@tools/setup test
	@tools/run_tests test --jobs $(JOBS)

gpu-code:
	@tools/setup gpu
	@tools/run_tests gpu-code --jobs $(JOBS)

rust:
	@tools/rust

wasm:
	@JOBS=$(JOBS) tools/wasm

check:
	@tools/setup check
	@tools/run_tests check --jobs $(JOBS)

ct:
	@tools/setup ct
	@tools/run_tests ct --jobs $(JOBS)

fuzz:
	@tools/setup fuzz
	@sh tests/fuzz/run.sh

bench:
	@tools/setup bench
	@sh bench/run.sh

limits:
	@tools/setup build
	@sh bench/run.sh --limits

nibbling:
	@tools/setup build
	@sh bench/run.sh --nibbling

# Libraries of round 3 only: the attacks on MAYO go through the C interface.  That the pages were just rewritten is no change of
# what is timed.
museum:
	@tools/setup docs
	@cmake -S . -B build/museum -G Ninja -DCMAKE_BUILD_TYPE=Release -DAIOLI_BUILD_MUSEUM=ON -DAIOLI_BUILD_BENCH=ON \
	  -DAIOLI_ONLY_ROUND_3=ON -DAIOLI_BUILD_CLI=OFF
	@cmake --build build/museum --parallel $(JOBS) --target museum_attacks museum_lessons museum_bench
	@research/museum/aioli-museum pages build/museum/research/museum/attacks build/museum/research/museum/lessons
	@research/museum/aioli-museum estimate docs
	@commit=$$(git describe --always --exclude='*' 2>/dev/null) || commit=unknown; \
	  [ $$commit = unknown ] || git diff --quiet HEAD -- . ':!research/museum/docs' || commit=$$commit-dirty; \
	  build/museum/research/museum/bench/museum_bench --json build/museum/bench.json --commit "$$commit"
	@research/museum/aioli-museum lecture-table print build/museum/bench.json

estimates:
	@tools/setup docs
	@research/museum/aioli-museum estimate

m4:
	@tools/setup m4
	@tools/m4 check
	@tools/m4 all
	@tools/m4 nibbling
	@tools/m4 trace
	@tools/m4 armv7m --policy small --trace
	@tools/m4 armv7m --policy fast --trace
	@tools/m4 boot --set MAYO-1
	@tools/m4 boot --set MAYO-2

two-files:
	@tools/setup two-files
	@tests/two_files/check.py full build/two_files_test
	@tools/two_files

# KEY is a secret key of aioli-composite, KEY_PASSPHRASE_FILE a file with its passphrase.
dist:
	@tools/setup dist
	@test -z "$(KEY)" || { cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DAIOLI_BUILD_COMPOSITE=ON && \
	  cmake --build build --parallel $(JOBS) --target aioli-composite; }
	@build/release/bin/python tools/dist $(if $(KEY),--key "$(KEY)") \
	  $(if $(KEY_PASSPHRASE_FILE),--passphrase-file "$(KEY_PASSPHRASE_FILE)")

dist-test:
	@tools/setup dist
	@cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DAIOLI_BUILD_COMPOSITE=ON
	@cmake --build build --parallel $(JOBS) --target aioli-composite
	@sh tests/dist/check.sh build/aioli-composite

deb:
	@tools/setup deb
	@sh packaging/build_deb.sh

conan:
	@tools/setup dist
	@sh packaging/conan/check.sh

python:
	@tools/setup python
	@tools/python test

ray:
	@tools/setup ray
	@test -e build/build.ninja || cmake --preset release
	@tools/python engines

wheel:
	@tools/setup python
	@tools/python wheel

# A build that has tests or more keeps them: this target only ever adds.
openssl:
	@tools/setup build
	@cmake -S . -B build -G Ninja -DAIOLI_BUILD_OPENSSL=ON
	@cmake --build build --parallel $(JOBS) --target aioli_openssl

tls: openssl
	@tools/setup tls
	@sh bindings/openssl/tests/get_trixie
	@sh bindings/openssl/tests/tls.sh

# A module of its own, compiled for it.
openssl4: openssl
	@tools/setup tls
	@sh bindings/openssl/tests/openssl4.sh

prove:
	@tools/setup tls
	@sh bindings/openssl/tests/prove_der.sh

interop:
	@tools/setup interop
	@cmake --preset test -DAIOLI_BUILD_OPENSSL=ON
	@cmake --build build --parallel $(JOBS) --target interop_exchange aioli_openssl
	@tests/interop/matrix.py run

arm64:
	@tools/setup arm64
	@tools/arm64 trace
	@tools/arm64 count --theirs --out build/arm64.json
	@tools/arm64 loops --backend neon --backend neon_sha3

gpu-build:
	@tools/setup gpu
	@cmake -S . -B build/gpu-build -G Ninja -DCMAKE_BUILD_TYPE=Release -DAIOLI_CUDA=ON -DAIOLI_BUILD_TESTS=ON -DAIOLI_BUILD_BENCH=ON
	@cmake --build build/gpu-build --parallel $(JOBS) --target aioli_cuda_shared aioli_cuda_static \
	  aioli_gpu_bench aioli_gpu_naive test_device_outputs_real
	@$(or $(CXX),g++) -std=c++20 -Wall -Wextra -fsyntax-only -Isrc -Ibuild/cuda/toolkit/include tests/cuda/declarations.cpp
	@tools/gpu_code --images build/gpu-build/src/cuda/*.fatbin
	@tools/gpu_code

gpu:
	@tools/gpu_run --look
	@tools/setup gpu
	@tools/gpu_run

# `build` has made all that is installed: as root nothing is left to compile.
install: build
	@cmake --install build --prefix $(PREFIX)

uninstall:
	@cmake -DMANIFEST=build/install_manifest.txt -P cmake/uninstall.cmake

docs: build
	@tools/setup docs
	@python3 tools/set_tables build/aioli --write

site:
	@tools/setup site
	@tools/site build

# The published sizes of workspaces, which Rust has, too: after a change of what the schemes or the kernels keep, for a new set.
# (the tests abi/sizes_h and tools.rust_sys compare)
sizes:
	@tools/setup test
	@cmake --preset test
	@cmake --build build --parallel $(JOBS) --target gen_sizes
	@build/tests/abi/gen_sizes > build/sizes.h
	@cp build/sizes.h include/aioli/sizes.h
	@python3 tools/rust_sys --write

# After a change of the C interface.  (test abi/interface compares)
abi:
	@tools/setup test
	@cmake --preset test
	@cmake --build build --parallel $(JOBS) --target write_interface

format:
	@tools/setup check
	@tools/check_format --fix

clean:
	rm -rf build

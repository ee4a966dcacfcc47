#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh STEP: one test of the installed library; the variables come from CMakeLists.txt beside this file.
set -eu
step=$1
here=$(cd "$(dirname "$0")" && pwd)
prefix=$WORK/prefix
work=$WORK/$step
rm -rf "$work"
mkdir -p "$work"
unset DESTDIR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH || true
export PKG_CONFIG_LIBDIR="$prefix/$LIBDIR/pkgconfig"
warnings="-Wall -Wextra -Wpedantic -Werror"

say() { printf '%s\n' "$*"; }
fail() {
  say "FAILED: $*"
  exit 1
}
needs() { readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'; }
no_cxx_runtime() { # FILE: nothing of the C++ library, neither needed nor linked in
  if needs "$1" | grep -E 'stdc\+\+|libc\+\+|libgcc_s'; then fail "$1 needs the C++ runtime"; fi
  if nm "$1" | grep -E ' (_ZSt|_Zn[wa][jm]$|__cxa_throw|__gxx_personality)'; then fail "$1 contains the C++ runtime"; fi
}
# FILE yes|no: whether it loads the shared library
loads_shared() {
  if needs "$1" | grep -q '^libaioli\.so\.'; then found=yes; else found=no; fi
  [ "$found" = "$2" ] || fail "$1: loads libaioli.so: $found, expected $2"
}
configure_and_build() { # SOURCE BUILD OPTIONS...
  source_dir=$1
  build_dir=$2
  shift 2
  "$CMAKE" -S "$source_dir" -B "$build_dir" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" "$@"
  "$CMAKE" --build "$build_dir" --parallel 2
}
build_with_find_package() { # PREFIX BUILD OPTIONS...
  given=$1
  shift
  build=$1
  shift
  configure_and_build "$here/find_package" "$build" -DCMAKE_PREFIX_PATH="$given" -DAIOLI_EXPECT_VERSION="$VERSION" "$@"
  "$build/consumer_c"
  "$build/consumer_cxx"
}

firmware() { # BUILD OPTIONS...: a stranger's project for a Cortex-M4, with the example of the page, run on the emulated board
  build=$1
  shift
  sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/cortex-m4.md" | sed '/^```/d' >"$work/example.c"
  grep -q aioli_sign "$work/example.c" || fail "docs/cortex-m4.md has no C example"
  "$CMAKE" -S "$here/firmware" -B "$build" --toolchain "$here/firmware/arm-none-eabi.cmake" -DAIOLI_FILES="$SOURCE" \
    -DAIOLI_EXAMPLE="$work/example.c" "$@"
  "$CMAKE" --build "$build" --parallel 2
  timeout 60 qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -semihosting-config enable=on,target=native \
    -kernel "$build/thermostat.elf" >"$work/output" || fail "the firmware ends with status $?"
  grep -q '^thermostat: signed and verified' "$work/output" || fail "the firmware says: $(cat "$work/output")"
}

case $step in
  tree)
    rm -rf "$prefix"
    "$CMAKE" --install "$BUILD" --prefix "$prefix"
    for file in "$INCLUDEDIR/aioli/aioli.h" "$INCLUDEDIR/aioli/keyfile.h" "$INCLUDEDIR/aioli/sizes.h" "$LIBDIR/libaioli.a" \
      "$LIBDIR/libaioli.so" "$LIBDIR/libaioli.so.$VERSION" "$LIBDIR/pkgconfig/aioli.pc" "$LIBDIR/cmake/aioli/aioliConfig.cmake" \
      "$INCLUDEDIR/aioli/batch.h" "$LIBDIR/libaioli_batch.a" "$LIBDIR/libaioli_batch.so.$VERSION" \
      "$LIBDIR/pkgconfig/aioli-batch.pc" \
      "$LIBDIR/cmake/aioli/aioliConfigVersion.cmake" "$LIBDIR/cmake/aioli/aioliTargets.cmake"; do
      [ -e "$prefix/$file" ] || fail "$file is not installed"
    done
    # The public headers are all that is installed of the sources, and they are all installed; but libaioli_research stays here,
    # and so does its header.
    # libaioli_cuda is built on request, and its header installed with it.
    (cd "$SOURCE/include/aioli" && find . -name '*.h' ! -name "$CUDA" | sort) >"$work/ours"
    (cd "$prefix/$INCLUDEDIR" && find . -type f | sed 's,/aioli/,/,' | sort) >"$work/installed"
    diff "$work/ours" "$work/installed" || fail "the installed headers are not those of include/aioli"
    # Nothing installed remembers where it was built.
    if grep -rIl -e "$SOURCE/" -e "$BUILD/" "$prefix"; then fail "installed files name the source or build directory"; fi
    ;;

  headers)
    for header in "$prefix/$INCLUDEDIR"/aioli/*.h; do
      name=aioli/$(basename "$header")
      printf '#include <%s>\n#include <%s>\ntypedef int not_empty;\n' "$name" "$name" >"$work/one.c"
      cp "$work/one.c" "$work/one.cpp"
      # shellcheck disable=SC2086
      "$CC" -std=c11 $warnings -I"$prefix/$INCLUDEDIR" -fsyntax-only "$work/one.c" || fail "$name is not C11 by itself"
      # shellcheck disable=SC2086
      "$CXX" -std=c++11 $warnings -I"$prefix/$INCLUDEDIR" -fsyntax-only "$work/one.cpp" || fail "$name is not C++11 by itself"
    done
    ;;

  plain_c) # the static library, a C compiler, and no library named
    # shellcheck disable=SC2086
    "$CC" -std=c11 $warnings -I"$prefix/$INCLUDEDIR" "$here/consumer.c" "$prefix/$LIBDIR/libaioli.a" -o "$work/consumer"
    loads_shared "$work/consumer" no
    no_cxx_runtime "$work/consumer"
    "$work/consumer"
    ;;

  pkg_config_shared)
    [ "$(pkg-config --modversion aioli)" = "$VERSION" ] || fail "aioli.pc has another version"
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 $warnings "$here/consumer.c" $(pkg-config --cflags --libs aioli) -o "$work/consumer"
    loads_shared "$work/consumer" yes
    LD_LIBRARY_PATH="$prefix/$LIBDIR" "$work/consumer"
    # shellcheck disable=SC2046,SC2086
    "$CXX" -std=c++11 $warnings "$here/consumer.cpp" $(pkg-config --cflags --libs aioli) -o "$work/consumer_cxx"
    LD_LIBRARY_PATH="$prefix/$LIBDIR" "$work/consumer_cxx"
    ;;

  pkg_config_static)
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 $warnings -static "$here/consumer.c" $(pkg-config --static --cflags --libs aioli) -o "$work/consumer"
    [ -z "$(needs "$work/consumer")" ] || fail "a static program needs shared libraries"
    no_cxx_runtime "$work/consumer"
    "$work/consumer"
    ;;

  find_package)
    build_with_find_package "$prefix" "$work/default" -DAIOLI_TARGET=aioli::aioli
    loads_shared "$work/default/consumer_c" yes
    build_with_find_package "$prefix" "$work/static" -DAIOLI_TARGET=aioli::aioli -DBUILD_SHARED_LIBS=OFF
    loads_shared "$work/static/consumer_c" no
    no_cxx_runtime "$work/static/consumer_c"
    build_with_find_package "$prefix" "$work/named_static" -DAIOLI_TARGET=aioli::aioli_static
    loads_shared "$work/named_static/consumer_c" no
    build_with_find_package "$prefix" "$work/named_shared" -DAIOLI_TARGET=aioli::aioli_shared -DBUILD_SHARED_LIBS=OFF
    loads_shared "$work/named_shared/consumer_c" yes
    if "$CMAKE" -S "$here/find_package" -B "$work/newer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
      -DCMAKE_CXX_COMPILER="$CXX" -DAIOLI_EXPECT_VERSION=99.0 >"$work/newer.log" 2>&1; then
      fail "find_package(aioli 99.0) is content with $VERSION"
    fi
    grep -q 99.0 "$work/newer.log" || fail "find_package(aioli 99.0) failed for another reason"
    ;;

  moved) # a tree that was installed and then moved, as package builders do
    cp -a "$prefix" "$work/elsewhere"
    build_with_find_package "$work/elsewhere" "$work/build" -DAIOLI_TARGET=aioli::aioli
    if needs "$work/build/consumer_c" | grep /; then fail "the program names a directory"; fi
    flags=$(PKG_CONFIG_LIBDIR="$work/elsewhere/$LIBDIR/pkgconfig" pkg-config --cflags --libs aioli)
    case $flags in *"$prefix"*) fail "pkg-config still names the old place: $flags" ;; esac
    # shellcheck disable=SC2086
    "$CC" -std=c11 $warnings "$here/consumer.c" $flags -o "$work/consumer"
    LD_LIBRARY_PATH="$work/elsewhere/$LIBDIR" "$work/consumer"
    ;;

  examples) # those of the first pages that are C and C++, with the commands beside them
    python3 "$SOURCE/tests/docs/blocks.py" c "$SOURCE/README.md" "$SOURCE/docs/start/c.md" "$work"
    python3 "$SOURCE/tests/docs/blocks.py" cpp "$SOURCE/docs/start/cpp.md" "$work"
    for example in "$work"/*.c "$work"/*.cpp; do
      compiler=$CC
      case $example in *.cpp) compiler="$CXX -std=c++17" ;; esac
      # shellcheck disable=SC2046,SC2086
      $compiler $warnings "$example" $(pkg-config --cflags --libs aioli) -o "$example.out"
      LD_LIBRARY_PATH="$prefix/$LIBDIR" "$example.out" || fail "$(basename "$example"): the example ends with status $?"
    done
    ;;

  batch) # the batch library, shared and static, by pkg-config and CMake; and the example of its page
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 $warnings "$here/batch.c" $(pkg-config --cflags --libs aioli-batch) -o "$work/batch"
    loads_shared "$work/batch" yes
    needs "$work/batch" | grep -q '^libaioli_batch\.so\.' || fail "the program does not load libaioli_batch"
    LD_LIBRARY_PATH="$prefix/$LIBDIR" "$work/batch"
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 $warnings -static "$here/batch.c" $(pkg-config --static --cflags --libs aioli-batch) -o "$work/batch_static"
    [ -z "$(needs "$work/batch_static")" ] || fail "a static program needs shared libraries"
    no_cxx_runtime "$work/batch_static"
    "$work/batch_static"
    for options in "" -DBUILD_SHARED_LIBS=OFF; do
      # shellcheck disable=SC2086
      configure_and_build "$here/find_package" "$work/build$options" -DCMAKE_PREFIX_PATH="$prefix" \
        -DAIOLI_EXPECT_VERSION="$VERSION" \
        -DAIOLI_TARGET=aioli::aioli -DAIOLI_BATCH_TARGET=aioli::aioli_batch $options
      "$work/build$options/batch"
    done
    loads_shared "$work/build/batch" yes
    loads_shared "$work/build-DBUILD_SHARED_LIBS=OFF/batch" no
    sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/batch.md" | sed '/^```/d' >"$work/example.c"
    grep -q aioli_verify_batch "$work/example.c" || fail "docs/batch.md has no C example"
    # shellcheck disable=SC2046,SC2086
    "$CC" $warnings "$work/example.c" $(pkg-config --cflags --libs aioli-batch) -o "$work/example"
    LD_LIBRARY_PATH="$prefix/$LIBDIR" "$work/example" || fail "the example of docs/batch.md ends with an error"
    ;;

  cuda) # the library for devices, shared and static, on a machine that may have none; and the example of its page
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 $warnings "$here/cuda.c" $(pkg-config --cflags --libs aioli-cuda) -o "$work/cuda"
    needs "$work/cuda" | grep -q '^libaioli_cuda\.so\.' || fail "the program does not load libaioli_cuda"
    LD_LIBRARY_PATH="$prefix/$LIBDIR" "$work/cuda"
    # dlopen wants a program that is not wholly static.
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 $warnings "$here/cuda.c" -I"$prefix/$INCLUDEDIR" "$prefix/$LIBDIR/libaioli_cuda.a" \
      "$prefix/$LIBDIR/libaioli_batch.a" \
      "$prefix/$LIBDIR/libaioli.a" -pthread -ldl -o "$work/cuda_static"
    loads_shared "$work/cuda_static" no
    no_cxx_runtime "$work/cuda_static"
    "$work/cuda_static"
    configure_and_build "$here/find_package" "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DAIOLI_EXPECT_VERSION="$VERSION" \
      -DAIOLI_TARGET=aioli::aioli -DAIOLI_CUDA_TARGET=aioli::aioli_cuda
    "$work/build/cuda"
    for library in libaioli_cuda.so libcuda libcudart; do
      if needs "$prefix/$LIBDIR/libaioli_cuda.so" | grep -F "$library"; then fail "libaioli_cuda is linked with $library"; fi
    done
    sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/gpu.md" | sed '/^```/d' >"$work/example.c"
    grep -q aioli_cuda_verify_batch "$work/example.c" || fail "docs/gpu.md has no C example"
    # shellcheck disable=SC2046,SC2086
    "$CC" $warnings "$work/example.c" $(pkg-config --cflags --libs aioli-cuda) -o "$work/example"
    LD_LIBRARY_PATH="$prefix/$LIBDIR" "$work/example" || fail "the example of docs/gpu.md ends with an error"
    python3 "$SOURCE/tools/check_symbols" --cuda-shared "$prefix/$LIBDIR/libaioli_cuda.so" \
      --cuda-static "$prefix/$LIBDIR/libaioli_cuda.a"
    ;;

  nistapi) # one set's library before the common one, and once more with a generator of the program's own
    for set in mayo_1 mayo_2 mayo_5_r2 mayo_3_r1b; do
      for define in -DOWN_RANDOMBYTES -DDEFAULT_RANDOMBYTES; do
        # shellcheck disable=SC2086
        "$CC" -std=c11 $warnings "$define" -I"$prefix/$INCLUDEDIR" "$here/nistapi.c" "$prefix/$LIBDIR/libaioli_nistapi_$set.a" \
          "$prefix/$LIBDIR/libaioli.a" -o "$work/nistapi"
        loads_shared "$work/nistapi" no
        no_cxx_runtime "$work/nistapi"
        "$work/nistapi" || fail "$set does not sign or verify by way of crypto_sign"
      done
    done
    for library in "$prefix/$LIBDIR"/libaioli_nistapi_*.a; do
      python3 "$SOURCE/tools/check_symbols" --static-extra crypto_sign,randombytes "$library"
    done
    ;;

  symbols)
    python3 "$SOURCE/tools/check_symbols" --shared "$prefix/$LIBDIR/libaioli.so" --static "$prefix/$LIBDIR/libaioli.a" \
      --batch-shared "$prefix/$LIBDIR/libaioli_batch.so" --batch-static "$prefix/$LIBDIR/libaioli_batch.a"
    no_cxx_runtime "$prefix/$LIBDIR/libaioli.so"
    no_cxx_runtime "$prefix/$LIBDIR/libaioli_batch.so"
    ;;

  cli)
    if needs "$prefix/$BINDIR/aioli" | grep libaioli; then export LD_LIBRARY_PATH="$prefix/$LIBDIR"; fi
    "$prefix/$BINDIR/aioli" --version | grep -F "$VERSION" || fail "aioli --version does not say $VERSION"
    printf 'a message\n' >"$work/message"
    "$prefix/$BINDIR/aioli" keygen --alg MAYO-1 --out "$work/id"
    "$prefix/$BINDIR/aioli" sign --key "$work/id.key" --raw --out "$work/message.sig" "$work/message"
    "$prefix/$BINDIR/aioli" verify --key "$work/id.pub" --raw --sig "$work/message.sig" "$work/message"
    printf 'another message\n' >"$work/message"
    if "$prefix/$BINDIR/aioli" verify --key "$work/id.pub" --raw --sig "$work/message.sig" "$work/message"; then
      fail "the installed aioli verifies a changed file"
    fi
    ;;

  subproject)
    # Two sets, without optimization, show as much as sixteen with.
    configure_and_build "$here/subproject" "$work/build" -DAIOLI_SOURCE_DIR="$SOURCE" -DCMAKE_BUILD_TYPE=Debug \
      "-DAIOLI_SETS=MAYO_1;MAYO_2"
    "$work/build/consumer_c"
    "$work/build/consumer_cxx"
    # The parent's installation is the parent's business, and so are the names of its targets and tests.
    "$CMAKE" --install "$work/build" --prefix "$work/prefix"
    if [ -e "$work/prefix" ] && find "$work/prefix" -type f | grep .; then fail "a subproject installs files of aioli"; fi
    no_cxx_runtime "$work/build/consumer_c"
    ;;

  firmware_subproject) # a project in C with a toolchain file of its own, which sets nothing of ours but the sets
    for type in Debug Release; do
      firmware "$work/$type" -DAIOLI_SOURCE_DIR="$SOURCE" -DCMAKE_BUILD_TYPE=$type
    done
    ;;

  firmware_package) # built and installed as the page says, then found
    "$CMAKE" -S "$SOURCE" -B "$work/aioli" --toolchain "$SOURCE/tools/toolchains/cortex-m4.cmake" -DCMAKE_BUILD_TYPE=Release \
      -DAIOLI_SETS=MAYO_2 -DAIOLI_CORTEX_M4=small -DAIOLI_BUILD_FIRMWARE=OFF
    "$CMAKE" --build "$work/aioli" --parallel 2
    "$CMAKE" --install "$work/aioli" --prefix "$work/prefix"
    for file in include/aioli/aioli.h include/aioli/sizes.h lib/libaioli.a lib/cmake/aioli/aioliConfig.cmake \
      lib/pkgconfig/aioli.pc; do
      [ -s "$work/prefix/$file" ] || fail "$file is not installed"
    done
    for file in include/aioli/batch.h include/aioli/nistapi.h; do # of libraries that firmware has not
      [ ! -e "$work/prefix/$file" ] || fail "$file is installed"
    done
    firmware "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;

  uninstall) # what was installed is gone, and nothing else
    "$CMAKE" --install "$BUILD" --prefix "$work/prefix" >/dev/null
    [ -e "$work/prefix/share/doc/aioli/LICENSE" ] || fail "the licence is not installed"
    if [ -e "$work/prefix/$BINDIR/aioli" ]; then
      for file in share/man/man1/aioli.1 share/man/man1/aioli-sign.1 share/bash-completion/completions/aioli \
        share/zsh/site-functions/_aioli \
        share/fish/vendor_completions.d/aioli.fish; do
        [ -s "$work/prefix/$file" ] || fail "$file is not installed"
      done
    fi
    echo mine >"$work/prefix/$INCLUDEDIR/mine.h"
    "$CMAKE" -DMANIFEST="$BUILD/install_manifest.txt" -P "$SOURCE/cmake/uninstall.cmake" >/dev/null
    left=$(find "$work/prefix" ! -type d)
    [ "$left" = "$work/prefix/$INCLUDEDIR/mine.h" ] || fail "left behind: $left"
    [ ! -e "$work/prefix/$INCLUDEDIR/aioli" ] || fail "an empty directory of ours is left behind"
    ;;

  *) fail "no step $step" ;;
esac
say "install.$step: as promised"

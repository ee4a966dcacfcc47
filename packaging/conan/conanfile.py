# SPDX-License-Identifier: Apache-2.0
"""Conan 2: the library of this source tree, static or shared.  conan create packaging/conan (docs/packages.md)"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class Aioli(ConanFile):
    name = "aioli"
    description = "Oil-and-vinegar signatures: MAYO and UOV"
    license = "Apache-2.0"
    topics = ("cryptography", "post-quantum", "signatures", "mayo", "uov")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # sets: identifiers of src/abi/registry.def, as in MAYO_1;MAYO_2; empty: all
    options = {"shared": [True, False], "fPIC": [True, False], "batch": [True, False], "only_round_3": [True, False],
               "sets": ["ANY"]}
    default_options = {"shared": False, "fPIC": True, "batch": True, "only_round_3": False, "sets": ""}
    implements = ["auto_shared_fpic"]

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = re.search(r"project\(aioli VERSION ([\d.]+)", text)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "SECURITY.md", "CHANGELOG.md", "cmake/*", "include/*", "src/*",
                        "research/*"):
            copy(self, pattern, src=self._root, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name, value in {
            "BUILD_SHARED_LIBS": bool(self.options.shared),
            "AIOLI_BUILD_CLI": False,
            "AIOLI_BUILD_ARROW": False,
            "AIOLI_BUILD_BATCH": bool(self.options.batch),
            "AIOLI_ONLY_ROUND_3": bool(self.options.only_round_3),
            "AIOLI_SETS": str(self.options.sets),
            "AIOLI_INSTALL": True,
        }.items():
            toolchain.cache_variables[name] = value
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
        cmake.build(target="aioli_nistapi")

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))  # CMakeDeps writes what find_package finds
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        other_kind = r"\.a$" if self.options.shared else r"\.(so|dylib|dll)"
        for name in os.listdir(os.path.join(self.package_folder, "lib")):
            if re.match("libaioli(_batch)?" + other_kind, name):
                os.unlink(os.path.join(self.package_folder, "lib", name))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "aioli")
        core = self.cpp_info.components["aioli"]
        core.libs = ["aioli"]
        core.set_property("cmake_target_name", "aioli::aioli")
        core.set_property("pkg_config_name", "aioli")
        if not self.options.shared:
            core.defines = ["AIOLI_STATIC"]
        if self.settings.os == "Windows":
            core.system_libs = ["bcrypt"]
        if self.options.batch:
            batch = self.cpp_info.components["aioli_batch"]
            batch.libs = ["aioli_batch"]
            batch.requires = ["aioli"]
            batch.set_property("cmake_target_name", "aioli::aioli_batch")
            batch.set_property("pkg_config_name", "aioli-batch")
            if self.settings.os in ("Linux", "FreeBSD"):
                batch.system_libs = ["pthread"]

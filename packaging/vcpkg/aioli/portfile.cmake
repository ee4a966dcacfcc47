# SPDX-License-Identifier: Apache-2.0
# An overlay port: the library of this source tree.  vcpkg install aioli --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DAIOLI_BUILD_CLI=OFF -DAIOLI_BUILD_ARROW=OFF -DAIOLI_INSTALL=ON)
vcpkg_cmake_build(TARGET aioli_nistapi)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME aioli CONFIG_PATH lib/cmake/aioli)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
     "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

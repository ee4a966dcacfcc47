# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` lays down: headers, both libraries, a CMake package and a pkg-config file (the command line's rule
# stands beside its target).
# Included by the top CMakeLists.txt when AIOLI_INSTALL is on.  All paths in it are relative to the prefix, so an installed tree
# may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(aioli_libraries aioli_static)
if(TARGET aioli_shared)
  list(APPEND aioli_libraries aioli_shared)
endif()
if(TARGET aioli_batch_static)
  list(APPEND aioli_libraries aioli_batch_shared aioli_batch_static)
endif()
if(AIOLI_CUDA)
  list(APPEND aioli_libraries aioli_cuda_shared aioli_cuda_static)
endif()
install(
  TARGETS ${aioli_libraries}
  EXPORT aioliTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# NIST's interface: one small library for each set, which a program links before libaioli.a.  It wants the operating system's
# randomness.
if(NOT AIOLI_FREESTANDING)
  get_property(aioli_nistapi DIRECTORY ${PROJECT_SOURCE_DIR}/src PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER aioli_nistapi INCLUDE REGEX "^aioli_nistapi_")
  set_target_properties(${aioli_nistapi} PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_custom_target(aioli_nistapi DEPENDS ${aioli_nistapi})
  install(TARGETS ${aioli_nistapi} EXPORT aioliTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
set(aioli_no_batch)
if(NOT TARGET aioli_batch_static)
  set(aioli_no_batch PATTERN "batch.h" EXCLUDE)
endif()
set(aioli_no_nistapi)
if(AIOLI_FREESTANDING)
  set(aioli_no_nistapi PATTERN "nistapi.h" EXCLUDE)
endif()
set(aioli_no_cuda)
if(NOT AIOLI_CUDA)
  set(aioli_no_cuda PATTERN "cuda.h" EXCLUDE)
endif()
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/aioli
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.h"
  ${aioli_no_batch} ${aioli_no_nistapi} ${aioli_no_cuda})

set(aioli_has_batch OFF)
if(TARGET aioli_batch_static)
  set(aioli_has_batch ON)
endif()
set(aioli_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/aioli)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/aioliConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/aioliConfig.cmake
  INSTALL_DESTINATION ${aioli_cmake_dir}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a change of the second number may break callers.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/aioliConfigVersion.cmake VERSION ${PROJECT_VERSION}
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/cmake/aioliConfig.cmake ${PROJECT_BINARY_DIR}/cmake/aioliConfigVersion.cmake
  DESTINATION ${aioli_cmake_dir}
  COMPONENT development)
install(
  EXPORT aioliTargets
  NAMESPACE aioli::
  DESTINATION ${aioli_cmake_dir}
  COMPONENT development)

# pkg-config: relative to where the file lies, unless the directories were given as absolute paths.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(aioli_pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(aioli_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH aioli_pc_up "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
  string(REGEX REPLACE "/$" "" aioli_pc_up "${aioli_pc_up}")
  set(aioli_pc_prefix "\${pcfiledir}/${aioli_pc_up}")
  set(aioli_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(aioli_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(aioli_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(aioli_pc aioli)
set(aioli_pc_private)
if(WIN32)
  set(aioli_pc_private -lbcrypt)
endif()
if(aioli_has_batch)
  list(APPEND aioli_pc aioli-batch)
  set(aioli_pc_threads ${CMAKE_THREAD_LIBS_INIT})
  if(NOT aioli_pc_threads)
    set(aioli_pc_threads -pthread)  # the program may meet another C library than we did
  endif()
endif()
if(AIOLI_CUDA)
  list(APPEND aioli_pc aioli-cuda)
  set(aioli_pc_dl)
  if(CMAKE_DL_LIBS)
    set(aioli_pc_dl -l${CMAKE_DL_LIBS})
  endif()
endif()
foreach(name IN LISTS aioli_pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc @ONLY)
  install(
    FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endforeach()

# Licence and documents, and a way back.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/SECURITY.md
        ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB aioli_documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${aioli_documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                                      -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
endif()

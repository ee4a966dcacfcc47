# SPDX-License-Identifier: Apache-2.0
# The host's side of libaioli_cuda, on the fake driver: a libcuda.so.1 that runs the kernels by way of the shim.
if(NOT TARGET aioli_cuda_host)
  return()
endif()

set(AIOLI_FAKE_DRIVER ${CMAKE_CURRENT_BINARY_DIR}/fake_driver)
add_library(aioli_fake_driver SHARED fake/driver.cpp $<TARGET_OBJECTS:aioli_cuda_shim>)
target_link_libraries(aioli_fake_driver PRIVATE aioli_test_options)
target_include_directories(aioli_fake_driver PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
set_target_properties(aioli_fake_driver PROPERTIES OUTPUT_NAME cuda SUFFIX .so.1 LIBRARY_OUTPUT_DIRECTORY ${AIOLI_FAKE_DRIVER})

# A driver without functions.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/empty.c CONTENT "int nothing(void);\nint nothing(void) { return 0; }\n")
add_library(aioli_empty_driver SHARED ${CMAKE_CURRENT_BINARY_DIR}/empty.c)
set_target_properties(aioli_empty_driver PROPERTIES OUTPUT_NAME cuda SUFFIX .so.1 LIBRARY_OUTPUT_DIRECTORY
                                                    ${CMAKE_CURRENT_BINARY_DIR}/empty_driver)

set(images)
foreach(identifier IN LISTS AIOLI_CUDA_SETS)
  configure_file(fake/image.c.in ${CMAKE_CURRENT_BINARY_DIR}/image_${identifier}.c @ONLY)
  list(APPEND images ${CMAKE_CURRENT_BINARY_DIR}/image_${identifier}.c)
endforeach()
# The library as it is built with AIOLI_CUDA, but for the images.
add_library(aioli_cuda_faked STATIC $<TARGET_OBJECTS:aioli_cuda_host> ${images})
target_link_libraries(aioli_cuda_faked PUBLIC aioli_batch_static ${CMAKE_DL_LIBS})

# The same to be opened, by bindings/python.
add_library(aioli_cuda_faked_shared SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:aioli_cuda_host>
            $<TARGET_OBJECTS:aioli_cuda_grouping> ${images})
target_link_libraries(aioli_cuda_faked_shared PRIVATE aioli_batch_shared Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(aioli_cuda_faked_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/exports.map)
set_target_properties(aioli_cuda_faked_shared PROPERTIES OUTPUT_NAME aioli_cuda)
add_dependencies(aioli_cuda_faked_shared aioli_fake_driver)

function(aioli_cuda_host_test name driver)
  aioli_add_test(${name} cuda ${name}.cpp)
  target_link_libraries(${name} PRIVATE aioli_cuda_faked)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  add_dependencies(${name} aioli_${driver}_driver)
  set_tests_properties(cuda/${name} PROPERTIES ENVIRONMENT LD_LIBRARY_PATH=$<TARGET_FILE_DIR:aioli_${driver}_driver> TIMEOUT 900)
endfunction()
aioli_cuda_host_test(test_host_batches fake)
aioli_cuda_host_test(test_host_faults fake)
aioli_cuda_host_test(test_host_devices fake)
aioli_cuda_host_test(test_host_arrays fake)
aioli_cuda_host_test(test_host_no_driver empty)
aioli_cuda_host_test(test_device_outputs fake)
# The shim is slow.  The kernels of every set are tested by cuda_operations and cuda_kat; these two see two sets every day, all in
# `make check`.
set(rows 9)
if(aioli_sanitized_daily)
  set(rows 3)
endif()
set_property(TEST cuda/test_device_outputs APPEND PROPERTY ENVIRONMENT AIOLI_CUDA_TEST_ROWS=${rows})
foreach(name IN ITEMS test_host_batches test_device_outputs)
  if(NOT aioli_sanitized_daily)  # which has not all kernels
    get_property(environment TEST cuda/${name} PROPERTY ENVIRONMENT)
    add_test(NAME cuda/${name}_all COMMAND ${name})
    set_tests_properties(cuda/${name}_all PROPERTIES LABELS "cuda;long" ENVIRONMENT "${environment}" TIMEOUT 3600)
  endif()
  set_property(TEST cuda/${name} APPEND PROPERTY ENVIRONMENT AIOLI_BATCH_QUICK=1)
endforeach()
if(AIOLI_CUDA)
  # `make gpu` runs the same program with the real library, on whatever driver there is.
  add_executable(test_device_outputs_real test_device_outputs.cpp)
  target_link_libraries(test_device_outputs_real PRIVATE aioli_doctest_main aioli_cuda_static Threads::Threads ${CMAKE_DL_LIBS})
  target_include_directories(test_device_outputs_real PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src
                                                              ${PROJECT_SOURCE_DIR}/include)
  set_target_properties(test_device_outputs_real PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# `make gpu`, rehearsed; with programs for the machine itself, and without sanitizers, which would have to come before the driver.
if(CMAKE_CROSSCOMPILING OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()
endif()
if(NOT COMMAND aioli_gpu_bench)
  include(${PROJECT_SOURCE_DIR}/bench/gpu/CMakeLists.txt)
endif()
aioli_gpu_bench(aioli_gpu_bench_faked aioli_cuda_faked)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME cuda/rehearse_gpu_run COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/rehearse_gpu_run.sh ${Python3_EXECUTABLE}
         ${PROJECT_SOURCE_DIR}
                                            $<TARGET_FILE:aioli_gpu_bench_faked> $<TARGET_FILE:test_device_outputs>)
set_tests_properties(cuda/rehearse_gpu_run PROPERTIES LABELS cuda TIMEOUT 900 ENVIRONMENT LD_LIBRARY_PATH=${AIOLI_FAKE_DRIVER})

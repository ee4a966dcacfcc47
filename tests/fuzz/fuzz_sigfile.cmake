# SPDX-License-Identifier: Apache-2.0
if(TARGET aioli_cli_sigfile)
  target_link_libraries(${harness} PRIVATE aioli_cli_sigfile)
else()  # builds without the command line, such as those for other processors
  target_sources(${harness} PRIVATE ${PROJECT_SOURCE_DIR}/cli/sigfile.cpp ${PROJECT_SOURCE_DIR}/cli/text.cpp)
  target_include_directories(${harness} PRIVATE ${PROJECT_SOURCE_DIR}/cli)
endif()

# The plugin of gcc that takes hooks out of inner loops (tools/hooks). It is made where the project's C++ compiler is gcc and the
# headers for plugins are there (Debian: gcc-12-plugin-dev), for exactly that compiler: beside it lies what `g++ --version`
# says. oshcc -fsanitize=shmem uses it with that gcc, and does without it elsewhere.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(STATUS "No plugin for the hooks of loops: the C++ compiler is not gcc")
    return()
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=plugin OUTPUT_VARIABLE plugin_folder OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT EXISTS ${plugin_folder}/include/gcc-plugin.h)
    message(STATUS "No plugin for the hooks of loops: gcc's headers for plugins are not installed")
    return()
endif()

add_library(fencepost_hooks MODULE hooks/plugin.cc hooks/loops.cc hooks/merge.cc hooks/calls.cc)
# It is loaded into the compiler: it has the compiler's options, not those of the project (sanitizers, coverage).
set_target_properties(fencepost_hooks PROPERTIES PREFIX "" OUTPUT_NAME hooks-gcc
    COMPILE_OPTIONS "-Wall;-Wextra;-Wno-unused-parameter;-fno-rtti;-fno-exceptions" LINK_OPTIONS "")
target_include_directories(fencepost_hooks PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(fencepost_hooks SYSTEM PRIVATE ${plugin_folder}/include)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} --version OUTPUT_VARIABLE version)
string(REGEX MATCH "^[^\n]*" version "${version}")
string(REGEX REPLACE "^[^ ]* (.*)$" "\\1" version "${version}")
file(WRITE ${PROJECT_BINARY_DIR}/lib/hooks-gcc.version "${version}\n")
install(TARGETS fencepost_hooks LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_BINARY_DIR}/lib/hooks-gcc.version DESTINATION ${CMAKE_INSTALL_LIBDIR})

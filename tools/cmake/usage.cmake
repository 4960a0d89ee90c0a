# What a program that links ${target} is compiled and linked with: position-independent, and external data only through
# the global offset table, since every PE but the first runs in a copy of the program (oshcc.c says more).
target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fencepost>)
target_compile_options(${target} INTERFACE -fno-omit-frame-pointer)
foreach(language C CXX)
    target_compile_options(${target} INTERFACE
        $<$<COMPILE_LANGUAGE:${language}>:$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,-fPIE,-fPIC>>
        $<$<COMPILE_LANG_AND_ID:${language},Clang>:-fno-direct-access-external-data>)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
        target_compile_options(${target} INTERFACE $<$<COMPILE_LANG_AND_ID:${language},GNU>:-mno-direct-extern-access>)
    endif()
endforeach()
# The library has to stay even where the program itself calls none of its routines: it starts the PEs.
target_link_options(${target} INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie> -Wl,--no-as-needed)

# The CUDA backend, where it is asked for (-DFENCEPOST_GPU=ON) and there.
if(FENCEPOST_GPU)
    if(EXISTS ${PROJECT_SOURCE_DIR}/gpu_backend/CMakeLists.txt)
        enable_language(CUDA)
        add_subdirectory(gpu_backend)
        list(APPEND fencepost_backends fencepost_gpu)
    else()
        message(WARNING "FENCEPOST_GPU=ON, but this version has no CUDA backend (gpu_backend/). "
            "Everything else is built; oshcc --backend=gpu will say that it is missing.")
    endif()
endif()

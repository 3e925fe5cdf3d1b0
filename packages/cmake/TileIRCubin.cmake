# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Function tileir_add_cubin; TileIRConfig.cmake includes this file, so find_package(TileIR) defines it.
#
#   tileir_add_cubin(TARGET KERNEL ARCHS ARCH...
#                    [OPT_LEVEL 0|1|2|3] [LAUNCH_ABI tile|plain] [LINEINFO] [DEVICE_DEBUG]
#                    [OPTIONS OPTION...] [OUTPUT_DIRECTORY FOLDER])
#
# Compiles KERNEL, Tile IR bytecode or cuda_tile text (.mlir), for each ARCH to FOLDER/<stem>.<ARCH>.cubin, which
# cuLibraryLoadFromFile takes; with LAUNCH_ABI plain, <stem>.<ARCH>.launch.json is beside it. TARGET is part of the default
# build; its properties TILEIR_CUBINS and TILEIR_SIDECARS list the files. FOLDER is the binary folder unless given.
#
# TileIR_PTXAS and TileIR_LIBDEVICE name those files of a CUDA toolkit; when they are not set, tileiras looks for them.

get_filename_component(_tileir_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(TileIR_TILEIRAS tileiras HINTS "${_tileir_prefix}/bin" NO_DEFAULT_PATH)
find_program(TileIR_TRANSLATE tileir-translate HINTS "${_tileir_prefix}/bin" NO_DEFAULT_PATH)
mark_as_advanced(TileIR_TILEIRAS TileIR_TRANSLATE)
unset(_tileir_prefix)

function(tileir_add_cubin target kernel)
  cmake_parse_arguments(PARSE_ARGV 2 arg "LINEINFO;DEVICE_DEBUG" "OPT_LEVEL;LAUNCH_ABI;OUTPUT_DIRECTORY" "ARCHS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tileir_add_cubin(${target}): unknown argument '${arg_UNPARSED_ARGUMENTS}'; the kernel is one file, "
      "targets follow ARCHS")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tileir_add_cubin(${target}): no value after ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_ARCHS)
    message(FATAL_ERROR "tileir_add_cubin(${target}): ARCHS is missing; name targets as sm_90 or sm_100a")
  endif()
  foreach(program TILEIRAS TRANSLATE)
    if(NOT TileIR_${program})
      message(FATAL_ERROR "tileir_add_cubin(${target}): TileIR_${program} is not found; set it to that program of tileir")
    endif()
  endforeach()
  if(NOT DEFINED arg_OPT_LEVEL)
    set(arg_OPT_LEVEL 3)
  endif()
  if(arg_DEVICE_DEBUG AND NOT arg_OPT_LEVEL EQUAL 0)
    message(FATAL_ERROR "tileir_add_cubin(${target}): DEVICE_DEBUG needs OPT_LEVEL 0")
  endif()
  if(NOT DEFINED arg_LAUNCH_ABI)
    set(arg_LAUNCH_ABI tile)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  if(DEFINED arg_OUTPUT_DIRECTORY)
    get_filename_component(folder "${arg_OUTPUT_DIRECTORY}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  file(MAKE_DIRECTORY "${folder}")
  get_filename_component(source "${kernel}" ABSOLUTE)
  get_filename_component(stem "${kernel}" NAME_WE)
  get_filename_component(suffix "${kernel}" LAST_EXT)

  set(bytecode "${source}")
  if(suffix STREQUAL ".mlir")
    set(bytecode "${folder}/${stem}.tileirbc")
    add_custom_command(
      OUTPUT "${bytecode}"
      COMMAND "${TileIR_TRANSLATE}" --mlir-to-cudatilebc --lineinfo "${source}" -o "${bytecode}"
      DEPENDS "${source}" "${TileIR_TRANSLATE}"
      COMMENT "Writing Tile IR bytecode of ${kernel}"
      VERBATIM)
  endif()

  set(options --opt-level=${arg_OPT_LEVEL} --launch-abi=${arg_LAUNCH_ABI})
  set(used "${TileIR_TILEIRAS}")
  foreach(file PTXAS LIBDEVICE)
    if(TileIR_${file})
      list(APPEND used "${TileIR_${file}}")
    endif()
  endforeach()
  if(TileIR_PTXAS)
    list(APPEND options "--ptxas-path=${TileIR_PTXAS}")
  endif()
  if(TileIR_LIBDEVICE)
    list(APPEND options "--libdevice=${TileIR_LIBDEVICE}")
  endif()
  if(arg_LINEINFO)
    list(APPEND options --lineinfo)
  endif()
  if(arg_DEVICE_DEBUG)
    list(APPEND options --device-debug)
  endif()

  set(cubins)
  set(sidecars)
  foreach(arch IN LISTS arg_ARCHS)
    set(cubin "${folder}/${stem}.${arch}.cubin")
    set(sidecar)
    set(note)
    if(arg_LAUNCH_ABI STREQUAL "plain")
      set(sidecar "${folder}/${stem}.${arch}.launch.json")
      set(note "--launch-sidecar=${sidecar}")
    endif()
    add_custom_command(
      OUTPUT "${cubin}" ${sidecar}
      COMMAND "${TileIR_TILEIRAS}" "${bytecode}" -o "${cubin}" --emit=cubin --gpu-name=${arch} ${options} ${note} ${arg_OPTIONS}
      DEPENDS "${bytecode}" ${used}
      COMMENT "Compiling ${kernel} for ${arch}"
      VERBATIM)
    list(APPEND cubins "${cubin}")
    list(APPEND sidecars ${sidecar})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${cubins} ${sidecars})
  set_target_properties(${target} PROPERTIES TILEIR_CUBINS "${cubins}" TILEIR_SIDECARS "${sidecars}")
endfunction()

# What `cmake --install` puts where. The folders are fixed: lunac, the plugin
# and the machine files find each other by them, wherever the whole is moved
# (luna/prefix.h).
include(CMakePackageConfigHelpers)
set(LUNA_PACKAGE_DIR lib/cmake/LunaMLIR)

# The folder of MLIR's own libraries is all that a run path may name.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# What a room installs belongs to this component; a room may set another.
set(LUNA_COMPONENT luna)

# luna_install_library(name): the archive, the public headers of its room and
# the CMake target LunaMLIR::<name without luna_>. Where LUNA_COMPONENT_HEADERS
# names headers, only those belong to the room's component, the others to luna.
function(luna_install_library name)
  string(REGEX REPLACE "^luna_" "" exported ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${exported})
  install(TARGETS ${name} EXPORT LunaMLIR
    ARCHIVE DESTINATION lib COMPONENT ${LUNA_COMPONENT}
    INCLUDES DESTINATION include)
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include)
    set(component ${LUNA_COMPONENT})
    if(LUNA_COMPONENT_HEADERS)
      install(FILES ${LUNA_COMPONENT_HEADERS} DESTINATION include/luna
        COMPONENT ${LUNA_COMPONENT})
      set(component luna)
    endif()
    install(DIRECTORY include/ DESTINATION include COMPONENT ${component}
      FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
  endif()
endfunction()

# luna_install_program(name): in bin/, and as LunaMLIR::<name> for the commands
# of other builds.
function(luna_install_program name)
  install(TARGETS ${name} EXPORT LunaMLIR
    RUNTIME DESTINATION bin COMPONENT ${LUNA_COMPONENT})
endfunction()

# luna_install_pkg_config(name): <name>.pc, made from <name>.pc.in.
function(luna_install_pkg_config name)
  configure_file(${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
    DESTINATION lib/pkgconfig COMPONENT ${LUNA_COMPONENT})
endfunction()

# luna_install_package(): find_package(LunaMLIR), after all targets.
function(luna_install_package)
  install(EXPORT LunaMLIR NAMESPACE LunaMLIR:: FILE LunaMLIRTargets.cmake
    DESTINATION ${LUNA_PACKAGE_DIR} COMPONENT ${LUNA_COMPONENT})
  configure_package_config_file(cmake/LunaMLIRConfig.cmake.in
    ${CMAKE_BINARY_DIR}/LunaMLIRConfig.cmake
    INSTALL_DESTINATION ${LUNA_PACKAGE_DIR})
  write_basic_package_version_file(
    ${CMAKE_BINARY_DIR}/LunaMLIRConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/LunaMLIRConfig.cmake
    ${CMAKE_BINARY_DIR}/LunaMLIRConfigVersion.cmake
    DESTINATION ${LUNA_PACKAGE_DIR} COMPONENT ${LUNA_COMPONENT})
  install(FILES LICENSE DESTINATION share/doc/luna-mlir
    COMPONENT ${LUNA_COMPONENT})
endfunction()

# Finds elfutils' libdw, which reads ELF and DWARF: the imported target Libdw::Libdw, with libelf.
find_path(Libdw_INCLUDE_DIR elfutils/libdwfl.h)
find_library(Libdw_LIBRARY dw)
find_library(Libdw_ELF_LIBRARY elf)
mark_as_advanced(Libdw_INCLUDE_DIR Libdw_LIBRARY Libdw_ELF_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Libdw
  REQUIRED_VARS Libdw_LIBRARY Libdw_ELF_LIBRARY Libdw_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian, install libdw-dev.")

if(Libdw_FOUND AND NOT TARGET Libdw::Libdw)
  add_library(Libdw::Libdw UNKNOWN IMPORTED)
  set_target_properties(
    Libdw::Libdw
    PROPERTIES IMPORTED_LOCATION "${Libdw_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${Libdw_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES "${Libdw_ELF_LIBRARY}")
endif()

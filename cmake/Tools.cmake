# Targets that run the tools on the sources: format, format-check, tidy.
add_custom_target(format COMMAND ${PROJECT_SOURCE_DIR}/tools/format.sh USES_TERMINAL)
add_custom_target(format-check COMMAND ${PROJECT_SOURCE_DIR}/tools/format.sh --check USES_TERMINAL)
add_custom_target(tidy COMMAND ${PROJECT_SOURCE_DIR}/tools/tidy.sh ${PROJECT_BINARY_DIR}
                  USES_TERMINAL)

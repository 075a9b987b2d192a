# The detectors: one line each, and nothing else has to be told (cmake/Detectors.cmake).
anyorder_detector(NAME graph CLASS Graph)
anyorder_detector(NAME dtrg CLASS Dtrg ON history)
anyorder_detector(NAME esp_bags CLASS EspBags ON history)
anyorder_detector(NAME spd3 CLASS Spd3 ON shared_history)
anyorder_detector(NAME offset_span CLASS OffsetSpan ON shared_history)

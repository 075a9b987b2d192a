// Marks what the shared library shows to programs; everything else in it is hidden.
#pragma once

#define ANYORDER_API __attribute__((visibility("default")))

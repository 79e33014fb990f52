// libFuzzer's driver. SwiftPM renames an executable's main, so libFuzzer can't bring its own: ours
// calls the driver instead.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

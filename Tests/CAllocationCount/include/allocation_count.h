#pragma once
#include <stddef.h>

/// Starts counting the calling thread's allocations at 0.
void allocation_count_begin(void);
/// Stops counting and returns how many there were.
size_t allocation_count_end(void);

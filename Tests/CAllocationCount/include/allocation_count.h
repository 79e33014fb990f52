#pragma once
#include <stddef.h>

/// Starts counting the calling thread's allocations at 0.
void allocation_count_begin(void);
/// Stops counting and returns how many there were.
size_t allocation_count_end(void);
/// How many bytes those were together, whether or not they have been given back.
size_t allocation_byte_count(void);

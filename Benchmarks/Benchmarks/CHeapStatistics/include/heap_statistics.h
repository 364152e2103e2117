#include <stddef.h>

/// The bytes that the allocator has handed out; 0 where it does not tell.
size_t heap_bytes_in_use(void);

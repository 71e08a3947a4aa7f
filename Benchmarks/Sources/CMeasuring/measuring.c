#include "CMeasuring.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif

__attribute__((noinline)) void measuring_counted_region(void (*body)(void *), void *context) {
  body(context);
  // Not a tail call, which would end the function before its body begins.
  __asm__ volatile("" : : : "memory");
}

bool measuring_heap_bytes(uint64_t *bytes) {
#if defined(__APPLE__)
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  *bytes = statistics.size_in_use;
  return true;
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  *bytes = info.uordblks + info.hblkhd;
  return true;
#else
  *bytes = 0;
  return false;
#endif
}

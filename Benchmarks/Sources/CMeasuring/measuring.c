#if defined(__linux__)
#define _GNU_SOURCE  // for what is said of a single thread
#include <sched.h>
#include <sys/resource.h>
#endif

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

void measuring_stay_on_processor(int index) {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  int left = index % CPU_COUNT(&allowed);
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &allowed) || left-- > 0) continue;
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    CPU_SET(processor, &chosen);
    sched_setaffinity(0, sizeof(chosen), &chosen);
    return;
  }
#else
  (void)index;
#endif
}

uint64_t measuring_preemptions(void) {
#if defined(__linux__)
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nivcsw : 0;
#else
  return 0;
#endif
}

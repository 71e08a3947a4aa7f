// Functions for measuring that cannot be written in Swift.

#ifndef C_MEASURING_H
#define C_MEASURING_H

#include <stdbool.h>
#include <stdint.h>

/// Makes the optimizer believe that `value` is used and that all memory may have changed, so that
/// it neither drops a loop nor moves a read out of it. It costs no instruction.
static inline void measuring_sink(intptr_t value) {
  __asm__ volatile("" : : "r"(value) : "memory");
}

/// Calls `body` from a function that keeps its name, so that a profiler can count only what
/// happens inside it.
void measuring_counted_region(void (*body)(void *), void *context);

/// The bytes that `malloc` has handed out and not got back, its own headers included; false if it
/// does not report them.
bool measuring_heap_bytes(uint64_t *bytes);

/// Keeps the calling thread on one of the processors that it may run on, those of different indexes
/// on different ones as long as there are enough; does nothing where the system decides alone.
void measuring_stay_on_processor(int index);

/// How often the calling thread had to leave its processor to another one although it could have
/// gone on; always zero if the system does not count that for a thread.
///
/// A thread that waits for a lock leaves of its own accord, which does not count.
uint64_t measuring_preemptions(void);

#endif

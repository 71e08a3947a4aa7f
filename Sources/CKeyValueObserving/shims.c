#include "CKeyValueObserving.h"

#include <stdio.h>

#if defined(_WIN32)
#include <windows.h>
#elif !defined(__wasi__)
#include <sched.h>
#include <time.h>
#endif

_Thread_local kvo_thread_state kvo_current_thread_state;
_Atomic(int) kvo_recording_threads;
_Atomic(int) kvo_task_mutations;
_Atomic(uintptr_t) kvo_open_transactions;

// Not 0, which stands for a change without a position (HandOver): a change that gets it, once in 2^32 pieces of work,
// takes a later one when it is delivered.
_Atomic(uint32_t) kvo_last_hand_over = 1;
_Atomic(int) kvo_registration_watches;

// Sixteen yields, then sleeps of 32 microseconds to a millisecond.
void kvo_wait(uint32_t attempt) {
  const uint32_t yields = 16, longest = 5;
  if (attempt <= yields) {
#if defined(_WIN32)
    SwitchToThread();
#elif !defined(__wasi__)
    sched_yield();
#endif
    return;
  }
#if defined(_WIN32)
  Sleep(1);
#elif !defined(__wasi__)
  uint32_t doublings = attempt - yields - 1;
  if (doublings > longest) doublings = longest;
  struct timespec time = {0, 32000L << doublings};
  nanosleep(&time, NULL);
#endif
}

// Flag 0 asks for a plain answer. `swift_task_isCurrentExecutor` without flags traps in programs
// built in Swift 6 mode when the answer is no, so it cannot serve.
__attribute__((swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    kvo_executor executor, uint64_t flags);

bool kvo_is_current_executor(kvo_executor executor) {
  return swift_task_isCurrentExecutorWithFlags(executor, 0);
}

__attribute__((swiftcall)) extern void *swift_task_getCurrent(void);

void *kvo_current_task(void) {
  return swift_task_getCurrent();
}

void kvo_write_error(const char *text) {
  fputs(text, stderr);
}

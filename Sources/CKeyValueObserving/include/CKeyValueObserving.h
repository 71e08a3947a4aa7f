// The few things that Swift cannot say, or only at a price that every property access would pay:
// a global that inlines across modules, a thread-local, and a question to the concurrency runtime.

#ifndef C_KEY_VALUE_OBSERVING_H
#define C_KEY_VALUE_OBSERVING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The engine's state for each thread. All zero when a thread starts.
typedef struct {
  /// The innermost delivery that is running on the thread.
  void *delivery;
  /// The recording of property reads that is running on the thread.
  void *recorder;
  /// The number of the change that the thread has begun last, except for changes that need no
  /// order. If it is the same as before, the thread has begun none since.
  uint64_t last_change;
  /// The innermost change whose prior notifications are being sent on the thread.
  void *preparation;
  /// The innermost derived value that is being computed on the thread.
  void *computation;
  /// The state that ends with the outermost change of the thread, if there is any; retained.
  void *outermost_change;
  /// The innermost mutation block of the thread.
  void *mutation_block;
  /// The mutation in place that has begun last on the thread, outside of tasks, and is not over;
  /// retained.
  void *mutation;
  /// The former value that reads of an entry return on the thread.
  void *former_value;
  /// The transaction that is open on the thread; retained.
  void *transaction;
  /// The innermost change that has been made on the thread, and whose dependents are being evaluated.
  void *settling_delivery;
  /// The histories that pause on the thread; retained.
  void *paused_histories;
  /// Whether the thread runs the handler of diagnostics.
  bool is_reporting;
  /// Whether the observer that is called next is passed over, and only takes note of the value.
  bool is_passing_over;
  /// The number that the prior notifications which the thread has begun last were given.
  uint16_t last_prior_number;
  /// How many transactions are being delivered on the thread.
  uint16_t ending_transactions;
  /// How many setters that run code of their classes are storing on the thread, each inside of the next.
  uint32_t running_bodies;
  /// How many queues of changes are being delivered on the thread, each inside of the next.
  uint32_t running_queues;
  /// The position, among what is handed to actors, of the first of several changes that the thread delivers one after
  /// the other, as a transaction does; 0 if there are none.
  uint32_t series_position;
  /// The position of the change of a computed key or a key path that is delivered later than it was made; 0 if there
  /// is none.
  uint32_t deferred_position;
  /// The innermost edit on the thread for which sources return the values that their objects have, also while they
  /// deliver others.
  void *present_values;
} kvo_thread_state;

extern _Thread_local kvo_thread_state kvo_current_thread_state;

/// Whether two pieces of memory hold the same bytes.
static inline bool kvo_has_same_bytes(const void *left, const void *right, size_t count) {
  return __builtin_memcmp(left, right, count) == 0;
}

static inline kvo_thread_state *kvo_thread(void) {
  return &kvo_current_thread_state;
}

/// How many threads record property reads at this moment.
extern _Atomic(int) kvo_recording_threads;

/// Whether any thread records. Every observable getter asks this, so it is one relaxed load that
/// the compiler places in the getter itself; a Swift global read across modules would be a call.
__attribute__((always_inline)) static inline bool kvo_is_recording(void) {
  return __builtin_expect(atomic_load_explicit(&kvo_recording_threads, memory_order_relaxed) != 0, 0);
}

static inline void kvo_recording_began(void) {
  atomic_fetch_add_explicit(&kvo_recording_threads, 1, memory_order_relaxed);
}

static inline void kvo_recording_ended(void) {
  atomic_fetch_sub_explicit(&kvo_recording_threads, 1, memory_order_relaxed);
}

/// How many mutations in place are under way in tasks at this moment.
extern _Atomic(int) kvo_task_mutations;

/// Whether any is.
static inline bool kvo_has_task_mutations(void) {
  return __builtin_expect(
      atomic_load_explicit(&kvo_task_mutations, memory_order_relaxed) != 0, 0);
}

static inline void kvo_task_mutation_began(void) {
  atomic_fetch_add_explicit(&kvo_task_mutations, 1, memory_order_relaxed);
}

static inline void kvo_task_mutation_ended(void) {
  atomic_fetch_sub_explicit(&kvo_task_mutations, 1, memory_order_relaxed);
}

/// How many threads have a transaction open at this moment. Every setter asks whether any has, in one
/// question with the one whether its object is observed.
extern _Atomic(uintptr_t) kvo_open_transactions;

/// That number.
__attribute__((always_inline)) static inline uintptr_t kvo_transaction_count(void) {
  return atomic_load_explicit(&kvo_open_transactions, memory_order_relaxed);
}

/// Whether any thread has a transaction open.
__attribute__((always_inline)) static inline bool kvo_has_transactions(void) {
  return __builtin_expect(kvo_transaction_count() != 0, 0);
}

static inline void kvo_transaction_began(void) {
  atomic_fetch_add_explicit(&kvo_open_transactions, 1, memory_order_relaxed);
}

static inline void kvo_transaction_ended(void) {
  atomic_fetch_sub_explicit(&kvo_open_transactions, 1, memory_order_relaxed);
}

/// The number of the last piece of work that was handed to an actor.
extern _Atomic(uint32_t) kvo_last_hand_over;

/// That number: what was stored before the work was handed over is visible after it is read.
__attribute__((always_inline)) static inline uint32_t kvo_hand_over_count(void) {
  return atomic_load_explicit(&kvo_last_hand_over, memory_order_acquire);
}

/// Makes the number of the next piece of work.
static inline uint32_t kvo_next_hand_over(void) {
  return atomic_fetch_add_explicit(&kvo_last_hand_over, 1, memory_order_acq_rel) + 1;
}

/// How many blocks of tests ask at this moment what is registered in them.
extern _Atomic(int) kvo_registration_watches;

/// Whether any does. Every registration asks this.
static inline bool kvo_is_watching_registrations(void) {
  return __builtin_expect(
      atomic_load_explicit(&kvo_registration_watches, memory_order_relaxed) != 0, 0);
}

static inline void kvo_registration_watch_began(void) {
  atomic_fetch_add_explicit(&kvo_registration_watches, 1, memory_order_relaxed);
}

static inline void kvo_registration_watch_ended(void) {
  atomic_fetch_sub_explicit(&kvo_registration_watches, 1, memory_order_relaxed);
}

/// Ends what is done under a lock, for the compiler: nothing in front of it is moved behind it.
///
/// Swift 6.3.1 moves a retain behind a store, also behind a releasing one that unlocks
/// (Documentation/Toolchain.md). Another thread may have released the object by then.
__attribute__((always_inline)) static inline void kvo_end_of_critical_section(void) {
  __asm__ volatile("" ::: "memory");
}

/// Waits for a thread that holds a lock: lets other threads run, and from the 17th attempt on sleeps, for
/// longer each time, up to a millisecond.
void kvo_wait(uint32_t attempt);

/// Layout of an `UnownedSerialExecutor`.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} kvo_executor;

/// Whether the running code is isolated to `executor`: the question behind `assumeIsolated`, whose
/// public spellings all trap where the answer is no.
bool kvo_is_current_executor(kvo_executor executor);

/// The task that the running code belongs to, null outside of tasks. It may be compared, not used.
void *kvo_current_task(void);

// Functions of the Swift runtime, called in place (row: path of 8, last key set).
extern void *swift_tryRetain(void *object);
extern bool swift_isDeallocating(const void *object);

/// Retains a Swift object that something keeps from being deallocated, unless its end has begun.
/// Returns null then.
///
/// This is what reading a weak reference does, of an object that has an unowned one instead. Those cost
/// the object nothing, while a weak one makes each of its retains and releases slow.
static inline void *kvo_try_retain(void *object) {
  return swift_tryRetain(object);
}

/// Whether the deinitializer of a Swift object has begun, asked without retaining the object. Every
/// change at the end of a path asks this.
static inline bool kvo_is_deallocating(const void *object) {
  return swift_isDeallocating(object);
}

/// Writes to standard error.
void kvo_write_error(const char *text);

#endif

/// The type of `nil` in `isolation: nil`, which registers an observation that belongs to no actor.
///
/// The closure of such an observation is called on the thread that makes a change, so the functions
/// that take `nil` take a `@Sendable` closure (P40). There are no instances.
public actor KeyValueNonisolated: KeyValueNonisolatedActor {
  private init() {}
}

// Of several types that `nil` converts to, Swift prefers the subtype: `KeyValueNonisolated?` with a
// `@Sendable` closure, then this with any closure, and then `(any Actor)?`, whose closure may
// belong to the caller's actor. Without this one, a closure in a variable would select the last.
/// A supertype of ``KeyValueNonisolated``, to which no other type conforms.
///
/// `nil` for it selects an overload that takes a closure which is not `@Sendable`, and is
/// deprecated.
public protocol KeyValueNonisolatedActor: Actor {}

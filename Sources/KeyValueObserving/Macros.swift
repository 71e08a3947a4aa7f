@_exported public import KeyValueObservingCore

/// Makes the properties of a class observable and the class a `KeyValueObservable`.
///
/// Each stored `var` of the class body notifies its observers of every change. `let` and computed
/// properties can be components of a key path. All of them have keys:
///
///     @KeyValueObservable
///     final class Article {
///       let id: Int
///       var title = ""
///       weak var editor: Person?
///       var slug: String { title.lowercased() }
///     }
///
/// Observers are notified on the thread that makes a change, before the assignment returns.
/// `willSet` and `didSet` run as they would without the macro, and observers receive the value
/// after them, but before the `didSet` that an override in a subclass adds. While no observer is
/// registered on an object, a property costs little more than a plain one.
///
/// The macro works on final, open-ended and generic classes, on subclasses of observable classes
/// (which are annotated too if they add properties), on subclasses of `NSObject` and on classes of
/// a global actor, whose conformance is then isolated to that actor: one whose name ends in
/// `Actor`, or that a conformance names, as in `: @Disk KeyValueObservable`. Write the actor in
/// front of a class that inherits it from its superclass or from a protocol, too: the macro does
/// not see it there. A class that also declares conformance to `Observable` of the module
/// `Observation` is tracked by `withObservationTracking` and by SwiftUI as well, and so are its
/// subclasses (P95). The conformance has to be in the declaration of the class: the macro does not
/// see it in an extension. The generic parameters of a class may be noncopyable; mark a variable of
/// the type of such a parameter with ``KeyValueIgnored()``.
///
/// In a class that declares `Sendable` and has no global actor, a lock guards the stored variables,
/// so that they may be used from any thread. Write `Sendable` in the declaration of the class: the
/// macro does not see it in an extension, in a superclass or in a protocol that inherits from it.
/// Each get and each set is atomic, and observers are called after the lock was released. `count +=
/// 1` is a get and a set: another thread may set `count` in between. A set of a `weak` variable
/// reads the former object before it stores the new one, so two sets at the same time may report
/// the same `oldValue`. Such a variable has no `willSet` and `didSet`. A class that is `@unchecked
/// Sendable`, and a variable that is `nonisolated(unsafe)`, are guarded by your own code (the compiler
/// warns that the word has no effect on the accessors of the variable; it has on the lock). The macro
/// warns of a variable that is set while a lock is held, because its observers are called then.
///
/// The macro rejects variables that cannot be observed: `lazy` variables, property wrappers, opaque
/// types, variables with another isolation than their class, and several variables in one
/// declaration. It also rejects a name that means something else in a key path, such as `Type`, or
/// in the expansion, such as `Swift`. Mark a variable with ``KeyValueIgnored()`` to leave it alone.
/// `static` and `class` variables belong to the class and not to its objects: they stay as they are
/// and have no key. A computed property has no key if Swift has no usable key path to it: its
/// getter throws or suspends, or its type is `Self`. Constants that one pattern declares, as in
/// `let (x, y) = origin`, have none either, nor have a `Mutex` and an `Atomic`. Mark a property of
/// another noncopyable type with ``KeyValueIgnored()``. Properties of an extension are not seen by
/// the macro, and Swift does not let it extend a class declared in a function, nor a private one
/// inside of another type: declare that `fileprivate`.
///
/// Class functions with a key in their name, `keyPathsForValuesAffectingName()` and
/// `automaticallyNotifiesObserversOfName()`, are called for that key as in Cocoa, if the body of
/// the class declares them. A class that also declares the function for all keys calls them through
/// `super`. The macro warns of functions that would never be called.
///
/// Two things differ from a plain stored property. An initializer's assignment runs `willSet` and
/// `didSet` and notifies observers once every property of the object has a value and `super.init`
/// has returned. Before that the initializer reads and assigns its properties as in a plain class,
/// unless it is `@inlinable` or has a closure with a capture list: then it can only assign them. A
/// `nonisolated` initializer of a class with the attribute of a global actor does so until it
/// returns; one of a class that has its actor from the settings of the module, or from its
/// superclass, can store no observed property. And the conformance to `Codable` is implemented
/// manually, because the stored properties have other names; if Swift synthesizes it
/// nevertheless, in a subclass, it encodes those names.
///
/// On Linux, Foundation's `Operation` has functions named `willChangeValue` and `didChangeValue` of
/// its own, which notify operation queues and hide those of the library. A class that is declared
/// as a subclass of `Operation` or `BlockOperation` and calls them gets properties that notify both
/// when they are called in the same way, by key and by key path; its subclasses inherit them.
///
/// Every member that the macro adds may be written manually instead; it adds only missing members.
@attached(
  member,
  conformances: KeyValueObservable,
  names: named(keyValueRegistrar), named(keyValueProperties),
  named(automaticallyNotifiesObservers), named(keyPathsForValuesAffectingValue),
  named(_$automaticallyNotifiesObservers), named(_$keyPathsForValuesAffecting),
  named(_$observationRegistrar), named(_$observation), named(_$Deprecated), named(_$storageGuard),
  named(willChangeValue), named(didChangeValue)
)
@attached(memberAttribute)
@attached(extension, conformances: KeyValueObservable)
public macro KeyValueObservable() =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueObservableMacro")

/// Leaves a property of an observable class as it is, without observers and without a key.
///
///     @KeyValueObservable
///     final class Article {
///       var title = ""
///       @KeyValueIgnored lazy var words = title.split(separator: " ")
///     }
@attached(peer)
public macro KeyValueIgnored() =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueIgnoredMacro")

/// Declares dependencies that cannot be discovered by evaluating the getter.
///
/// Observers of the property are notified when the value at one of the key paths changes:
///
///     @KeyValueDependent(on: "title", "author.name")
///     var byline: String { cache.byline(for: self) }
///
/// A computed property that reads other observable properties needs no such list. This is the
/// declarative form of `keyPathsForValuesAffectingValue(forKey:)`, for one property.
///
/// - Parameter keyPaths: Dotted key paths from the object, as string literals.
@attached(peer)
public macro KeyValueDependent(on keyPaths: String...) =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueDependentMacro")

/// Gives a stored property its observed accessors.
///
/// `@KeyValueObservable` applies it; do not write it yourself.
@_documentation(visibility: internal)
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_$))
public macro _$KeyValueStored() =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueStoredMacro")

/// Lets an initializer read properties before the object is complete, or store them off its actor.
///
/// `@KeyValueObservable` applies it; do not write it yourself.
@_documentation(visibility: internal)
@attached(body)
public macro _$KeyValueInitializer(
  _ properties: String..., missing: String..., throughout: Bool = false
) =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueInitializerMacro")

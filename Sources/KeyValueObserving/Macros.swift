@_exported public import KeyValueObservingCore

/// Makes the properties of a class observable and the class a `KeyValueObservable`.
///
/// Each stored `var` of the class body tells its observers about every change, `let` and computed
/// properties take part as links of a key path, and all of them are known by name:
///
///     @KeyValueObservable
///     final class Article {
///       let id: Int
///       var title = ""
///       weak var editor: Person?
///       var slug: String { title.lowercased() }
///     }
///
/// A change is told on the thread that makes it, before the assignment returns. `willSet` and
/// `didSet` run as they would without the macro, and observers get the value they leave behind.
/// A property costs next to nothing more than a plain one while nobody observes the object.
///
/// The macro works on final, open-ended and generic classes, on subclasses of observable classes
/// (which are annotated too if they add properties), on subclasses of `NSObject` and on classes of
/// a global actor, whose conformance is then isolated to that actor: one whose name ends in `Actor`,
/// or that a conformance names, as in `: @Disk KeyValueObservable`. Write the actor in front of a class
/// that has it from its superclass or from a protocol, too: the macro does not see it there. A class
/// that also declares conformance to `Observable` of the module `Observation` is seen by
/// `withObservationTracking` and by SwiftUI as well; a subclass inherits that for the inherited
/// properties only.
///
/// What cannot be observed is refused: `lazy` and `static` variables, property wrappers, opaque types,
/// variables isolated otherwise than their class, and several variables in one declaration. Mark one
/// with ``KeyValueIgnored()`` to leave it alone. A computed property has no key where Swift has no key
/// path to it that works: its getter throws or suspends, or its type is `Self`. Constants that one
/// pattern declares, as in `let (x, y) = origin`, have none either, nor have a `Mutex` and an `Atomic`.
/// Mark a property of another type that cannot be copied with ``KeyValueIgnored()``. Properties of an
/// extension are not seen by the macro, and Swift does not let it extend a class declared in a function,
/// nor a private one inside of another type: declare that `fileprivate`.
///
/// Class functions with a key in their name, `keyPathsForValuesAffectingName()` and
/// `automaticallyNotifiesObserversOfName()`, are asked for that key as in Cocoa, where the body of the
/// class declares them. The macro warns of those that nobody would ask.
///
/// Three things differ from a plain stored property. An initializer's assignment runs `willSet` and
/// `didSet` once every property of the object has a value. Before that an initializer can assign the
/// property only, and not read it: `total = count * 2` takes the parameter or a constant of its own for
/// `count`. And the conformance to `Codable` is written by hand, because the stored properties have
/// other names; where Swift synthesizes it nevertheless, in a subclass, it encodes those.
///
/// Every member the macro adds may be written by hand instead; it adds only what is missing.
@attached(
  member,
  conformances: KeyValueObservable,
  names: named(keyValueRegistrar), named(keyValueProperties),
  named(automaticallyNotifiesObservers), named(keyPathsForValuesAffectingValue),
  named(_$observationRegistrar), named(_$Deprecated)
)
@attached(memberAttribute)
@attached(extension, conformances: KeyValueObservable)
public macro KeyValueObservable() =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueObservableMacro")

/// Leaves a property of an observable class as it is: no observers, no key.
///
///     @KeyValueObservable
///     final class Article {
///       var title = ""
///       @KeyValueIgnored lazy var words = title.split(separator: " ")
///     }
@attached(peer)
public macro KeyValueIgnored() =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueIgnoredMacro")

/// Names what a property depends on where the library cannot see it.
///
/// Observers of the property are told when the value at one of the key paths changes:
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

/// Gives a stored property its observed accessors. `@KeyValueObservable` applies it; do not write
/// it yourself.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_$))
public macro _$KeyValueStored() =
  #externalMacro(module: "KeyValueObservingMacros", type: "KeyValueStoredMacro")

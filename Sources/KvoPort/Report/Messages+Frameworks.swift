// Sentences about objects and functions of frameworks.
extension Messages {
  /// A sentence about a type that the sources do not declare.
  static func foreign(_ type: String, _ rest: String) -> String {
    "'\(type)' is not a class of these sources\(rest)"
  }

  static func frameworkObject(_ type: String) -> String {
    if let replacement = Frameworks.replaced[type] {
      return
        "'\(type)' notifies no observer on Linux; create an '\(replacement)' in its place (see "
        + "'Foundation's own classes' in the porting guide)"
    }
    return foreign(
      type,
      ", and the classes of frameworks notify no observer here; contain the object in an observable "
        + "class that sets its own properties, as from a delegate (see 'What cannot be ported')")
  }

  static func throughFramework(_ type: String, _ key: String) -> String {
    "'\(key)' is a property of '\(type)', which is not a class of these sources and notifies no "
      + "observer here; observe a property of an observable class (see 'What cannot be ported')"
  }

  static let unknownObject =
    "the class of the observed object is not visible here; it notifies if it is an observable class, "
    + "and not if it is one of a framework. Declare its type"

  static func unobservable(_ type: String, _ key: String) -> String {
    let property = key.isEmpty ? "no property" : "no observable property '\(key)'"
    return "'\(type)' has \(property); annotate the class with '@KeyValueObservable'"
  }

  static func collectionCoding(_ type: String) -> String {
    "'\(type)' does not read the properties of Swift's classes; map the members, or begin the key path at "
      + "the object whose property the collection is"
  }

  static func frameworkNotification(_ type: String) -> String {
    "'\(type)' is a class of a framework, for which a manual notification reaches no observer here; "
      + "notify for a property of an observable class"
  }

  static let observedElements =
    "'addObserver(_:toObjectsAt:forKeyPath:options:context:)' does not exist here; observe a key path "
    + "through the collection, such as \"orders.total\""

  static let publisher =
    "'publisher(for:)' of an observable object is part of the integration of OpenCombine; enable the "
    + "trait 'OpenCombine' and import 'KeyValueObservingOpenCombine', or iterate over 'values(of:)'"

  static func frameworkPublisher(_ type: String) -> String {
    foreign(
      type,
      " and publishes no changes here; publish those of an observable class that contains the object "
        + "(see 'What cannot be ported')")
  }

  static let unknownPublisher =
    "the class of the published property is not visible here; 'publisher(for:)' of the integration of "
    + "OpenCombine works with observable classes only"

  static func frameworkCoding(_ type: String) -> String {
    foreign(
      type,
      ", and has no key-value coding without Objective-C; use its properties, or keep the values in a "
        + "'KeyValueDictionary'")
  }

  static func foreignCoding(_ type: String) -> String {
    foreign(
      type,
      "; if it inherits from 'NSObject', it has no key-value coding without Objective-C, so use its "
        + "properties")
  }

  static func ownCoding(_ type: String) -> String {
    "'\(type)' has no key-value coding without Objective-C; annotate it with '@KeyValueObservable' and "
      + "write 'try', or use its properties"
  }

  static let unknownCoding =
    "the type of this object is not visible here; key-value coding works with observable classes and "
    + "takes 'try'. Declare its type, or use its properties"

  static let orderedSetCoding =
    "'mutableOrderedSetValue' does not exist here; use an array with 'mutableArrayValue', or change the "
    + "property"

  static let untriedCoding =
    "key-value coding throws here where Cocoa raises an exception; write 'try', and handle the error or "
    + "let the function throw"

  static func proxyMember(_ name: String) -> String {
    "a collection that is changed by key has the members of Swift's collections here, and no '\(name)'; "
      + "write one of these"
  }

  static func associatedObject(_ function: String) -> String {
    "'\(function)' needs the Objective-C runtime; store the value in a property, or in a dictionary by "
      + "'ObjectIdentifier'"
  }

  static func testExpectation(_ name: String) -> String {
    "'\(name)' does not exist here; wait with a loop over 'values(of:)' (see 'Wait for changes that are "
      + "delivered later' in 'Testing observations')"
  }

  static let binding =
    "bindings of Cocoa do not exist here; write 'bind(_:to:_:)' between objects of your own, and set a "
    + "control in an observer (see 'Cocoa Bindings' in the migration guide)"
}

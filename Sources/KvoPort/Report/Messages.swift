/// The sentences of warnings and notes: each names the construct and the code to write in its place.
enum Messages {
  static let conflict =
    "two edits would overlap here, so this one is not made; a fault of the command, please report it"

  // MARK: Classes

  static func localClass(_ name: String) -> String {
    "class '\(name)' is declared in a function, where the macro cannot extend it; move it out of the "
      + "function and run again"
  }

  static func databaseClass(_ name: String) -> String {
    "a database implements the properties of '\(name)' at run time, so the class is left as it is; "
      + "use the notifications of the database, or copy its values to an observable class"
  }

  static func managedObject(_ name: String) -> String {
    "'\(name)' is a class of a database, whose objects notify no observer here; use the "
      + "notifications of the database"
  }

  static func observerExtension(_ name: String) -> String {
    "'observeValue' in an extension of '\(name)', which the sources do not declare; receive the "
      + "changes in a class of your own that conforms to 'NSKeyValueObserving'"
  }

  static func overrideInExtension(_ function: String, _ type: String) -> String {
    "'\(function)' in an extension is not called; move it into the body of '\(type)' (see "
      + "'keyPathsForValuesAffecting…' in the porting guide)"
  }

  static func codable(_ name: String) -> String {
    "the conformance of '\(name)' to 'Codable' is not synthesized any more, because its stored "
      + "properties have other names; write 'init(from:)', 'encode(to:)' and 'CodingKeys'"
  }

  static func dependentState(_ name: String, _ states: [String]) -> String {
    let list = states.map { "'\($0)'" }.joined(separator: ", ")
    let depend = states.count == 1 ? "which depends on another key" : "which depend on other keys"
    return "on Linux the queue of '\(name)' is not notified of \(list), \(depend); call "
      + "'willChangeValue(forKey: \"\(states[0])\")' and 'didChangeValue(forKey: \"\(states[0])\")' "
      + "\(states.count == 1 ? "" : "and those of the others ")where that changes, or inherit from "
      + "'ObservableOperation' and override 'execute()' (see 'An Operation with its own isFinished' in "
      + "the porting guide)"
  }

  // MARK: Properties

  static func renamedKey(_ key: String, _ name: String) -> String {
    "the key of this property was '\(key)' and is '\(name)' now; replace '\(key)' where a string "
      + "names it"
  }

  static func ownExtensionProperty(_ name: String, _ type: String) -> String {
    "'\(name)' in an extension has no key; it can be observed with the typed key path, or move it "
      + "into the body of '\(type)'"
  }

  static func extensionProperty(_ name: String, _ type: String) -> String {
    "'\(name)' extends '\(type)', a class of a framework, which cannot be observed here; add it to an "
      + "observable class that contains the object"
  }

  static func tuplePattern(_ type: String) -> String {
    "variables of '\(type)' in a pattern cannot be observed or ignored; declare each on its own"
  }

  static func lazyProperty(_ name: String) -> String {
    "'\(name)' is 'lazy' and cannot be observed, so it is marked '@KeyValueIgnored'; initialize it in "
      + "'init' and remove both words"
  }

  static func wrappedProperty(_ name: String, _ wrapper: String) -> String {
    "'@\(wrapper)' stores the value of '\(name)', which cannot be observed and is marked "
      + "'@KeyValueIgnored'; move the work of the wrapper to 'didSet' and remove both attributes"
  }

  static func opaqueProperty(_ name: String) -> String {
    "the type of '\(name)' is opaque, so it cannot be observed and is marked '@KeyValueIgnored'; write "
      + "the type out and remove the attribute"
  }

  static func isolatedProperty(_ name: String, _ type: String) -> String {
    "'\(name)' does not have the isolation of '\(type)', so it cannot be observed and is marked "
      + "'@KeyValueIgnored'; isolate both alike and remove the attribute"
  }

  static func initializerRead(_ name: String) -> String {
    "'\(name)' is read before 'super.init', which an initializer with a capture list cannot do in an "
      + "observable class; read a local constant with its value"
  }

  static func initializerObserver(_ name: String) -> String {
    "this assignment calls 'willSet' and 'didSet' of '\(name)' once the object is complete, which it "
      + "does not in Cocoa"
  }

  static func heldLock(_ function: String) -> String {
    "observers are called here while '\(function)' holds a lock, and deadlock if they need it; notify "
      + "outside of it with 'withMutation(of:)' (see 'A lock or a queue around a stored property' in "
      + "the porting guide)"
  }

  static func defaultsSubclass(_ name: String) -> String {
    "the superclass of '\(name)' is 'ObservableUserDefaults' here, which is final; inherit from "
      + "'Foundation.UserDefaults' where no observer needs the object, or create 'UserDefaults' with a "
      + "suite of its own"
  }

  static func constantDefault(_ name: String) -> String {
    "'\(name)' does not read its value; an observer with a typed key path is notified if the getter "
      + "reads the key, as in 'bool(forKey: \"\(name)\")'"
  }

  // MARK: Keys

  private static func ofKey(_ key: String, _ type: String, _ rest: String) -> String {
    "'\(key)' of '\(type)' \(rest)"
  }

  static func foreignKeyPath(_ keyPath: String, _ type: String) -> String {
    foreign(type, ", and Objective-C may name the key '\(keyPath)' differently")
  }

  static func privateKey(_ key: String, _ type: String) -> String {
    ofKey(
      key, type,
      "cannot be set by key, because its setter is private; assign the property, or make it internal"
    )
  }

  static func privateCollection(_ key: String, _ type: String, proxy function: String) -> String {
    ofKey(
      key, type,
      "cannot be mutated by key, because its setter is private; write "
        + "'\(function)(for: \\.\(key))' in the class, or make the setter internal")
  }

  static func unknownKey(_ key: String, _ type: String) -> String {
    ofKey(
      key, type,
      "is no property, and no key depends on it, so this notifies no observer; name the key of a "
        + "property")
  }

  static func undefinedKey(_ key: String, _ type: String) -> String {
    ofKey(
      key, type,
      "has no key, because the body of no observable class declares it; move it there, or declare a "
        + "property of this name")
  }

  static func unreadableKey(_ key: String, _ type: String) -> String {
    ofKey(
      key, type,
      "is marked '@KeyValueIgnored', so it has no key; remove the attribute, or use the property itself"
    )
  }

  static func ignoredKey(_ key: String, _ type: String) -> String {
    ofKey(
      key, type,
      "is marked '@KeyValueIgnored', so this notifies no observer; remove the attribute")
  }

  static func inheritedKey(_ key: String, _ superclass: String) -> String {
    ofKey(
      key, superclass,
      "is inherited from a class of a framework, whose properties cannot be observed here; override it "
        + "in this class")
  }

  static func storedNotification(_ key: String) -> String {
    "'\(key)' notifies of its assignment as well, so observers are notified twice if it is assigned "
      + "between the two calls; write 'withMutation(of: \\.\(key)) { … }' around the assignment"
  }

  static let keyPathString =
    "'_kvcKeyPathString' is part of Apple's Foundation only; write 'Model.key(for: keyPath)' with the "
    + "observable class 'Model' in which the key path begins"

  // MARK: Observers

  static let superCall =
    "'super.observeValue' has no implementation here, and stands where it cannot be removed; remove it"

  static func mixedTokens(_ name: String) -> String {
    "'\(name)' stores tokens of observations and other objects; declare a variable for each, with the "
      + "type 'NSKeyValueObservation' for the tokens of observations"
  }

  static func fixedToken(_ name: String) -> String {
    "'\(name)' returns the token of an observation, and a superclass or a protocol gives its type; write "
      + "'NSKeyValueObservation' in both"
  }

  static let observingExtension =
    "this extension of 'NSObject' observes any object; extend 'KeyValueObservable' instead (see 'A "
    + "wrapper around observe' in the porting guide)"

  static let fixedObject =
    "this object is observed, and its type is that of a superclass, a protocol or an action, so it stays "
    + "'NSObject', which cannot be observed here; write 'KeyValueObservable' in all declarations"

  static func passedObject(_ type: String, _ function: String) -> String {
    if type == "NSObject" {
      "'\(function)' takes an observable object here, and an 'NSObject' may be any object; pass an object "
        + "of an observable class, and extend 'KeyValueObservable' in place of 'NSObject'"
    } else {
      "'\(function)' takes an observable object here, and '\(type)' is not observable; annotate the class "
        + "of the object with '@KeyValueObservable'"
    }
  }

  static let hashedObject =
    "'NSObject' is hashed here, which observable objects need not be, so this type is left as it is; "
    + "use 'ObjectIdentifier' of the object, and run again"

  static let changedValueCast =
    "a value is absent if the object of a weak reference was deallocated, and the forced cast stops "
    + "the program then; cast with 'as?'"

  static let kindCast =
    "the kind of a change is a 'UInt' in the dictionary, and this cast fails; cast with 'as? UInt'"

  static let structureCast =
    "a structure has its own type in the dictionary, and this cast fails; cast to the type of the "
    + "property"

  static func enumerationCast(_ name: String) -> String {
    "a value of the enumeration '\(name)' is delivered as itself and not as a number, so this cast of it "
      + "fails; cast with 'as? \(name)'"
  }

  static func overriddenFunction(_ name: String) -> String {
    "the library does not call an override of '\(name)'; observe the key instead, or use "
      + "'setValue(_:forUndefinedKey:)' (see 'What cannot be ported')"
  }

  static func validator(_ name: String) -> String {
    "the library passes the value to '\(name)', which returns the one to set; write "
      + "'func validateValue(_ value: Any?, forKey key: String) throws -> Any?' without 'override'"
  }

  static func hookWithSuper(_ name: String) -> String {
    "the library calls '\(name)', which throws where Cocoa raises an exception; remove 'override', append "
      + "'throws(KeyValueCodingError)' to the parameters, and throw an error in place of the call of 'super'"
  }

  static func hookOfSubclass(_ name: String, _ root: String) -> String {
    "the library calls '\(name)' of a subclass only if '\(root)' declares it; declare it there as well"
  }

  static func hookWithoutKeys(_ name: String, _ type: String) -> String {
    "the library calls '\(name)' of observable classes, and '\(type)' is none; annotate it with "
      + "'@KeyValueObservable' and remove 'override'"
  }

  static func objectExtension(_ name: String) -> String {
    "'\(name)' in an extension of 'NSObject' hides the function of the library in every class; delete "
      + "it, or mark it '@_disfavoredOverload' (see 'Extensions of NSObject with Cocoa's functions' in "
      + "the porting guide)"
  }

  static func objectiveCFile(_ sites: Int) -> String {
    "this Objective-C file uses key-value observing on \(sites) \(sites == 1 ? "line" : "lines"), "
      + "which needs its runtime; rewrite the class in Swift"
  }

  static let optionalRequirement =
    "an optional requirement without a default value cannot be kept without Objective-C; declare its "
    + "default in an extension of the protocol, or move it to a protocol of its own"

  static func optionalCall(_ name: String) -> String {
    "'\(name)' has a default without Objective-C, so the result of this call does not show whether "
      + "the object implements it; remove the question mark, and the code for an object that does not"
  }
}

import TestSupport

/// A program of random declarations, each of which a pattern is about.
struct RandomProgram {
  var random: SplitMix
  private var indentation = "  "
  private var names: [String] = []

  init(_ random: SplitMix) {
    self.random = random
  }

  mutating func text() -> String {
    indentation = pick(["  ", "    ", "\t"])
    var text = pick([
      "", "import Foundation\n", "import Foundation\nimport AppKit // for views\n\n", "// Head\n\n",
    ])
    text += pick(["", "\n", "#if os(macOS)\nimport AppKit\n#endif\n"])
    for number in 0..<Int.random(in: 1...3, using: &random) { text += type(number) }
    if flip(3) {
      text += "extension UserDefaults { @objc dynamic var key: Bool { bool(forKey: \"key\") } }\n"
    }
    for number in 0..<Int.random(in: 0...2, using: &random) { text += extra(number) }
    if flip(4) { text = String(text.dropLast()) }
    return flip(4) ? text.replacing("\n", with: "\r\n") : text
  }

  private mutating func type(_ number: Int) -> String {
    let name = "Type\(number)"
    let superclass = pick(
      [
        "NSObject", "NSObject", "NSViewController", "Operation", "NSManagedObject",
        number > 0 ? "Type0" : "NSObject",
      ])
    let head = pick([
      "", "/// A type.\n", "@objcMembers ", "@objcMembers\n", "@available(macOS 10, *)\n",
    ])
    let modifiers = pick(["", "final ", "public ", "private ", "fileprivate final "])
    names = (0..<6).map { "name\($0)" }
    var members = ""
    for index in 0..<Int.random(in: 1...6, using: &random) { members += member(index, of: name) }
    let clause = pick(["", ", Codable", ", @unchecked Sendable"])
    return
      "\(head)\(modifiers)class \(name): \(superclass)\(clause) {\(pick(["\n", " // body\n"]))\(members)}\n\n"
  }

  /// Wrappers and extensions.
  private mutating func extra(_ number: Int) -> String {
    let (i, name) = (indentation, "Wrapper\(number)")
    let observe = pick([
      "object.addObserver(object, forKeyPath: key, options: [], context: nil)",
      "token = object.observe(\\.description) { _, _ in }",
    ])
    return pick([
      """
      final class \(name): NSObject {
      \(i)weak var object: NSObject?
      \(i)var token: NSObjectProtocol?
      \(i)init(_ object: NSObject, key: String) { self.object = object; super.init(); \(observe) }
      \(i)static func == (a: \(name), b: \(name)) -> Bool { a.object == b.object && a.object != nil }
      \(i)override func isEqual(_ other: Any?) -> Bool { (other as? \(name))?.object === object }
      }

      """,
      """
      struct \(name): Equatable { // wrapper
      \(i)let object: NSObject, key: String
      \(i)static func ==(a: Self, b: Self) -> Bool { return a.object == b.object && a.key == b.key }
      \(i)func start(_ token: inout AnyObject?) { \(observe) }
      \(i)func has(_ other: NSObject) -> Bool { object == other || object.isEqual(other) }
      }

      """,
      """
      extension Type0 {
      \(i)@objc dynamic var inner\(number): Int { get { 1 } set { print(newValue) } }
      \(i)@objc static func keyPathsForValuesAffectingName1() -> Set<String> { ["name2"] }
      \(i)func change() { willChangeValue(forKey: "name1"); didChangeValue(forKey: "name1") }
      }

      """,
      """
      extension NSObject {
      \(i)@discardableResult func follow\(number)(_ key: String) -> NSObject {
      \(i)\(i)addObserver(self, forKeyPath: key, options: [], context: nil); return self
      \(i)}
      }

      """,
      """
      extension NSObjectProtocol where Self: NSObject {
      \(i)func follow\(number)() -> NSObjectProtocol { observe(\\.hash, options: []) { _, _ in } }
      }

      """,
    ])
  }

  /// A computed property whose setter has a comment of one line.
  private mutating func commentedSetter(_ name: String) -> String {
    let (i, value) = (indentation, pick(["", "(value)"]))
    let print = "print(\(value.isEmpty ? "newValue" : "value"))"
    return pick([
      "{\n\(i)\(i)get { 1 } // one\n\(i)\(i)set\(value) { \(print) } // all\n\(i)}\n",
      "{\n\(i)\(i)get { 1 }\n\(i)\(i)set\(value) { // head\n\(i)\(i)\(i)\(print)\n\(i)\(i)}\n\(i)}\n",
      "{\n\(i)\(i)get { 1 }\n\(i)\(i)set\(value) { \(print) // tail\n\(i)\(i)}\n\(i)}\n",
      "{\n\(i)\(i)get { 1 }\n\(i)\(i)set\(value) {\n\(i)\(i)\(i)\(print)\n\(i)\(i)\(i)// end }\n\(i)\(i)}\n\(i)}\n",
      "{\n\(i)\(i)get { 1 }\n\(i)\(i)set\(value) { // head\n\(i)\(i)\(i)\(print) }\n\(i)}\n",
      "{ get { 1 } set\(value) { /* a */ \(print) /* b */ } }\n",
    ])
  }

  private mutating func member(_ index: Int, of type: String) -> String {
    let (name, i) = (names[index], indentation)
    let set =
      "\n\(i)\(i)set {\n\(i)\(i)\(i)print(newValue)\n\n\(i)\(i)\(i)print(\"\"\"\n\(i)a\n\(i)\"\"\")\n\(i)\(i)}\n\(i)}\n"
    let context = "forKeyPath: keyPath, of: object, change: change, context: context"
    let signature =
      "forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?"
    let lines = [
      "\(modifier())var \(name) = 0\n", "\(modifier())var \(name), \(name)b: Int\n",
      "\(modifier())var \(name) = 1, // one\n\(i)\(i)\(name)b = 2\n",
      "@objc dynamic var \(name): Int {\(pick(["", " // getter"]))\n\(i)\(i)get { 1 }\(set)",
      "@objc dynamic var \(name): Int { get { 1 } set { print(newValue) } }\n",
      "@objc\n\(i)dynamic var \(name) = 0 { didSet { print(1) } }\n",
      "func \(name)(_ other: \(type)) { other.willChangeValue(forKey: \"name0\"); other.didChangeValue(forKey: \"name0\") }\n",
      "func \(name)(_ other: \(type)) { other.addObserver(self, forKeyPath: #keyPath(\(type).name0), options: [], context: nil) }\n",
      "func \(name)(_ other: \(type)) throws -> Any? { 1 == 1 ? other.value(forKey: \"a\") : other.value(forKey: \"b\") }\n",
      "func \(name)(_ other: \(type)) { _ = (other.value(forKey: \"a\") as? [Int])?.count; if let x = other.value(forKeyPath: \"a.b\") { print(x) } }\n",
      "var \(name): NSObjectProtocol?\n\(i)func \(name)f(_ o: \(type)) { \(name) = o.observe(\\.name0, options: .new) { _, _ in } }\n",
      "weak var \(name): NSObject?\n\(i)func \(name)f() { \(name)?.addObserver(self, forKeyPath: \"a\", options: [], context: nil) }\n",
      "@objc class func keyPathsForValuesAffectingName\(index)() -> Set<NSObject> { return [\"name1\" as NSObject] }\n",
      "override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {\n\(i)\(i)var keys = super.keyPathsForValuesAffectingValue(forKey: key)\n\(i)\(i)return keys\n\(i)}\n",
      "override func observeValue(\n\(i)\(i)forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,\n\(i)\(i)context: UnsafeMutableRawPointer?\n\(i)) {\n\(i)\(i)guard context == nil else { \(pick(["super.observeValue(\(context)); return", "return super.observeValue(\(context))"])) }\n\(i)\(i)switch keyPath {\n\(i)\(i)case \"a\": print(change?[.newKey] as? Int ?? 0)\n\(i)\(i)default: super.observeValue(\(context))\n\(i)\(i)}\n\(i)}\n",
      "#if DEBUG\n\(i)@objc dynamic var \(name) = 0\n\(i)#else\n\(i)var \(name) = 1\n\(i)#endif\n",
      "\(i)@objc dynamic weak private(set) var \(name): \(type)? // weak\n",
      "@objc dynamic var \(name): Int \(commentedSetter(name))",
      "#if os(macOS)\n\(i)override func observeValue(\(signature)) { super.observeValue(\(context)) }\n\(i)#endif\n",
      "#if DEBUG\n\(i)func \(name)(_ o: \(type)) { o.setValue(1, forKey: \"name0\") } // debug\n\(i)#else\n\(i)func \(name)(_ o: \(type)) { _ = o.observe(\\.name0) { _, _ in } }\n\(i)#endif\n",
      "#if DEBUG\n\(i)func \(name)() { willChangeValue(forKey: #keyPath(\(type).name0)) }\n\(i)#elseif os(iOS) // none\n\(i)#endif\n",
      "#if DEBUG\n\(i)@objc class func keyPathsForValuesAffectingName0() -> Set<NSObject> { [\"name1\" as NSObject] }\n\(i)#endif\n",
      "// kvo:port:skip\n\(i)@objc dynamic var \(name) = 0\n", "let \(name) = 1\n",
      "lazy var \(name) = [1]\n",
      "static var \(name) = 1\n", "@IBOutlet private weak var \(name): NSView!\n",
      "init(\(name) value: Int) { name0 = value; super.init() }\n",
    ]
    return i + pick(lines)
  }

  private mutating func modifier() -> String {
    pick([
      "@objc dynamic ", "@objc public dynamic ", "dynamic @objc ", "", "private ", "@objc ",
      "@Wrapped ", "/* a */ @objc /* b */ dynamic ",
    ])
    .replacing("dynamic @objc ", with: "@objc dynamic ")
  }

  private mutating func pick(_ texts: [String]) -> String {
    texts[Int.random(in: 0..<texts.count, using: &random)]
  }

  private mutating func flip(_ sides: Int) -> Bool {
    Int.random(in: 0..<sides, using: &random) == 0
  }
}

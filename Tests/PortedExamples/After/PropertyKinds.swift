import Foundation
import KeyValueObservingFoundation

@KeyValueObservable
class PropertyKinds: NSObject {
  var text = ""
  var optionalText: String?
  var number = 0
  var flag = false
  var list: [String] = []
  var anything: Any = 42
  var givenName: String?
  var familyName: String?
  @KeyValueIgnored private var cache: [String: Int] = [:]

  var fullName: String {
    cache["reads", default: 0] += 1
    return [givenName, familyName].compactMap { $0 }.joined(separator: " ")
  }

  static let keyPathsForValuesAffectingFullName: Set<String> = ["givenName", "familyName"]
}

@KeyValueObservable
final class RenamedKinds: PropertyKinds {
  var on = true

  override var text: String {
    didSet { changes += 1 }
  }
  @KeyValueIgnored var changes = 0
}

enum PropertyKindsExample {
  static func run() throws -> [String] {
    let kinds = RenamedKinds()
    var lines: [String] = []
    let tokens = [
      kinds.observe(\.fullName, options: .new) { _, change in
        lines.append(change.newValue ?? "none")
      },
      kinds.observe(\.list, options: [.old, .new]) { _, change in
        lines.append("\(change.oldValue ?? []) \(change.newValue ?? [])")
      },
      kinds.observe(\.text) { kinds, _ in lines.append(kinds.text) },
    ]
    kinds.givenName = "Ada"
    kinds.familyName = "King"
    kinds.list = ["a"]
    kinds.text = "b"
    try kinds.setValue(7, forKey: "number")
    lines.append("\(try kinds.value(forKey: "number") as? Int ?? 0)")
    tokens.forEach { $0.invalidate() }
    return lines
  }
}

import Foundation

@objcMembers
class PropertyKinds: NSObject {
  dynamic var text = ""
  dynamic var optionalText: String?
  dynamic var number = 0
  dynamic var flag = false
  dynamic var list: [String] = []
  dynamic var anything: Any = 42
  dynamic var givenName: String?
  dynamic var familyName: String?
  private var cache: [String: Int] = [:]

  dynamic var fullName: String {
    cache["reads", default: 0] += 1
    return [givenName, familyName].compactMap { $0 }.joined(separator: " ")
  }

  static let keyPathsForValuesAffectingFullName: Set<String> = ["givenName", "familyName"]
}

final class RenamedKinds: PropertyKinds {
  @objc(isOn) dynamic var on = true

  override dynamic var text: String {
    didSet { changes += 1 }
  }
  var changes = 0
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
    kinds.setValue(7, forKey: "number")
    lines.append("\(kinds.value(forKey: #keyPath(PropertyKinds.number)) as? Int ?? 0)")
    tokens.forEach { $0.invalidate() }
    return lines
  }
}

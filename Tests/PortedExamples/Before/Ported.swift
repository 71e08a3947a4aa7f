import KeyValueObservingFoundation

/// Code that has been ported already.
@KeyValueObservable
final class PortedModel {
  var title = ""
  var count = 0
  @KeyValueIgnored var cache: [String] = []
}

enum PortedExample {
  static func run() throws -> [String] {
    let model = PortedModel()
    var lines: [String] = []
    let token = model.observe(\.title, options: .new) { _, change in
      lines.append(change.newValue ?? "")
    }
    model.title = "ported"
    lines.append("\(try model.value(forKey: "count") as? Int ?? -1)")
    token.invalidate()
    return lines
  }
}

import Foundation
import KeyValueObservingFoundation

@KeyValueObservable
class Shape: NSObject {
  var width = 1
  var height = 1
  var scale = 1

  var area: Int { width * height * scale }
  var label: String { "shape \(area)" }

  class func keyPathsForValuesAffectingArea() -> Set<String> {
    ["width", "height"]
  }

  class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    var keyPaths = Set<String>()
    if key == "label" {
      keyPaths.formUnion(["area", "scale"])
    }
    return keyPaths
  }

  class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key == "scale" ? false : true
  }

  func rescale(to scale: Int) {
    willChangeValue(forKey: "scale")
    self.scale = scale
    didChangeValue(forKey: "scale")
  }
}

@KeyValueObservable
final class Solid: Shape {
  var depth = 1
  var volume: Int { area * depth }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let keyPaths = super.keyPathsForValuesAffectingValue(forKey: key)
    return key == "volume" ? keyPaths.union(["area", "depth"]) : keyPaths
  }
}

enum DependenciesExample {
  static func run() -> [String] {
    let solid = Solid()
    var lines: [String] = []
    let tokens = [
      solid.observe(\.volume, options: .new) { _, change in
        lines.append("volume \(change.newValue ?? 0)")
      },
      solid.observe(\.label, options: .new) { _, change in lines.append(change.newValue ?? "") },
    ]
    solid.width = 2
    solid.depth = 3
    solid.rescale(to: 5)
    tokens.forEach { $0.invalidate() }
    return lines
  }
}

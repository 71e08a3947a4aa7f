import Foundation

class Shape: NSObject {
  @objc dynamic var width = 1
  @objc dynamic var height = 1
  var scale = 1

  @objc var area: Int { width * height * scale }
  @objc dynamic var label: String { "shape \(area)" }

  @objc class func keyPathsForValuesAffectingArea() -> Set<NSObject> {
    ["width" as NSObject, "height" as NSObject]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    var keyPaths = super.keyPathsForValuesAffectingValue(forKey: key)
    if key == #keyPath(label) {
      keyPaths.formUnion(["area", "scale"])
    }
    return keyPaths
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key == "scale" ? false : super.automaticallyNotifiesObservers(forKey: key)
  }

  func rescale(to scale: Int) {
    willChangeValue(forKey: "scale")
    self.scale = scale
    didChangeValue(forKey: "scale")
  }
}

final class Solid: Shape {
  @objc dynamic var depth = 1
  @objc dynamic var volume: Int { area * depth }

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

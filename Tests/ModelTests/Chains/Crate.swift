import KeyValueObserving

/// An object of the programs, with properties of all kinds that lead to others.
@KeyValueObservable
final class Crate {
  var x: Int?
  weak var owner: Crate?
  var next: Crate?
  var sum: Int? { x.map { $0 + 1000 } }
  var ownersX: Int? { owner?.x }
  var total: Int? { (ownersX ?? -1) + (next?.sum ?? -1) }

  init(x: Int) { self.x = x }

  /// The values that are observed.
  static var keyPaths: [KeyPath<Crate, Int?>] {
    [
      \.x, \.sum, \.ownersX, \.total, \.next?.x, \.next?.sum, \.next?.ownersX, \.owner?.next?.x,
      \.next?.owner?.x,
    ]
  }

  /// The keys of which mutation blocks are opened.
  static var keys: [String] { ["x", "next", "owner", "sum", "ownersX"] }
}

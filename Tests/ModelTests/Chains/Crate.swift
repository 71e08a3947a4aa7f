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
  /// Stored, and notified of changes of the owner all the same.
  @KeyValueDependent(on: "owner.x") var label: Int?
  /// Changes in mutation blocks of `reach` only.
  @KeyValueIgnored var extra = 0
  var reach: Int? { owner?.x.map { $0 + extra } }

  init(x: Int) { self.x = x }

  /// The values that are observed.
  static var keyPaths: [KeyPath<Crate, Int?>] {
    [
      \.x, \.sum, \.ownersX, \.total, \.next?.x, \.next?.sum, \.next?.ownersX, \.owner?.next?.x,
      \.next?.owner?.x, \.label, \.next?.label, \.reach, \.next?.reach,
    ]
  }

  /// The keys of which mutation blocks are opened.
  static var keys: [String] { ["x", "next", "owner", "sum", "ownersX", "label", "reach"] }
}

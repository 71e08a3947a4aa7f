import KeyValueObserving

@KeyValueObservable
final class Deposit {
  var x = 0
  var y = 0
  var name = "a"
  var tags: [String] = []
  var next: Deposit?
  weak var owner: Deposit?
  var sum: Int { x + y }
}

/// The error of bodies that throw.
struct Refused: Error {}

import KeyValueObserving

@KeyValueObservable
final class Download: Sendable {
  let name: String
  let size: Int
  var received = 0
  var progress: Int { 100 * received / size }

  init(name: String, size: Int) {
    self.name = name
    self.size = size
  }
}

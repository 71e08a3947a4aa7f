import KeyValueObserving

@KeyValueObservable
final class Download {
  let name: String
  let size: Int
  var received = 0

  init(name: String, size: Int) {
    self.name = name
    self.size = size
  }
}

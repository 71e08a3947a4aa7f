#if canImport(Combine) || OpenCombine
  import KeyValueObservingOpenCombine

  @KeyValueObservable
  final class Person {
    var name = ""
    var age = 0
    var boss: Person?
    weak var friend: Person?
    var tags: [String] = []
  }
#endif

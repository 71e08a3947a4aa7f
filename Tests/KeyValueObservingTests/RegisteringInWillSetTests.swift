import KeyValueObserving
import Testing

@KeyValueObservable
private final class Author {
  var name: String
  init(_ name: String) { self.name = name }
}

private struct Cover {
  var artist: Author?
}

/// Its `willSet` and `didSet` may register observers.
@KeyValueObservable
private final class Volume {
  var author: Author? = Author("old") { willSet { whenSet?(self) } }
  var cover = Cover(artist: Author("old")) { willSet { whenSet?(self) } }
  var editor: Author? = Author("old") {
    didSet {
      whenSet?(self)
      if editor?.name == "swapped" { editor = Author("final") }
    }
  }
  var pages = [5] { willSet { whenSet?(self) } }
  var authorName: String? { author?.name }
  @KeyValueIgnored var whenSet: ((Volume) -> Void)?
}

/// Observers that the `willSet` or `didSet` of a property registers in an object that was never observed.
@Suite struct RegisteringInWillSetTests {
  private let recorder = Recorder()
  private let volume = Volume()

  /// Registers an observer of a key path when a property is set next, and sets it.
  private func observe<Value>(
    _ keyPath: KeyPath<Volume, Value>, options: KeyValueObservation.Options = [.old, .new],
    in set: (Volume) -> Void
  ) -> KeyValueObservation? {
    var token: KeyValueObservation?
    volume.whenSet = {
      $0.whenSet = nil
      token = $0.observe(keyPath, options: options, changeHandler: recorder.receives("·"))
    }
    set(volume)
    return token
  }

  @Test("P21, P25: paths and computed keys follow the object that is stored then")
  func paths() {
    for keyPath in [\Volume.author?.name, \Volume.authorName] {
      let token = observe(keyPath) { $0.author = Author("new") }
      volume.author?.name = "b"
      #expect(recorder.take() == ["· new→b"])
      withExtendedLifetime(token) {}
    }
  }

  @Test("P21, P25, P46: so they do at the end of a transaction that delivers the property")
  func pathsInTransaction() {
    let other = volume.observe(\.author) { _, _ in }
    for keyPath in [\Volume.author?.name, \Volume.authorName] {
      let token = observe(keyPath) { volume in
        withKeyValueTransaction { volume.author = Author("new") }
      }
      _ = recorder.take()
      volume.author?.name = "b"
      #expect(recorder.take() == ["· new→b"])
      withExtendedLifetime(token) {}
    }
    withExtendedLifetime(other) {}
  }

  @Test("P25, P28: so they do if a structure around it is changed in place")
  func inPlace() {
    let token = observe(\.cover.artist?.name) { $0.cover.artist = Author("new") }
    volume.cover.artist?.name = "b"
    #expect(recorder.take() == ["· new→b"])
    withExtendedLifetime(token) {}
  }

  @Test("P25: so they do if `didSet` stores another object behind the registration")
  func didSet() {
    let token = observe(\.editor?.name) { $0.editor = Author("swapped") }
    volume.editor?.name = "b"
    #expect(recorder.take() == ["· final→b"])
    withExtendedLifetime(token) {}
  }

  @Test("P9, P13: distinct compares elements with those that are stored then", arguments: 0..<3)
  func distinct(way: Int) {
    let token = observe(\.pages, options: [.new, .distinct]) {
      switch way {
      case 0: $0.pages = [6]
      case 1: $0.pages[0] = 6
      default: withKeyValueTransaction { volume.pages = [6] }
      }
    }
    volume.mutableArrayValue(for: \.pages).append(7)
    #expect(recorder.take() == ["· →[7] insertion [1]"])
    volume.pages = [6, 7]
    #expect(recorder.take() == [])
    volume.pages = [5, 7]
    #expect(recorder.take() == ["· →[5, 7]"])
    withExtendedLifetime(token) {}
  }

  @Test("P9, P53: so it does if the elements are edited in the same transaction")
  func distinctInTransaction() {
    let other = volume.observe(\.pages) { _, _ in }
    let token = observe(\.pages, options: [.new, .distinct]) { volume in
      withKeyValueTransaction {
        volume.pages = [6]
        volume.mutableArrayValue(for: \.pages).append(7)
      }
    }
    #expect(recorder.take() == ["· →[7] insertion [1]"])
    volume.pages = [5, 7]
    #expect(recorder.take() == ["· →[5, 7]"])
    withExtendedLifetime((other, token)) {}
  }
}

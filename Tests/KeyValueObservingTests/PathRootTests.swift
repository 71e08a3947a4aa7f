import KeyValueObserving
import Testing

@KeyValueObservable
private final class Child {
  var value = 0
}

@KeyValueObservable
private final class Root {
  var child: Child?

  init(_ child: Child) { self.child = child }
}

extension AllTests {
  /// Objects from which paths begin, which handlers release.
  @Suite struct PathRoots {
    private let child = Child()

    @Test(
      "P14: the start of a path whose only observer releases it in a prior notification lives until the change"
    )
    func releasedInPrior() {
      var root: Root? = Root(child)
      weak let weakRoot = root
      var values: [Int?] = []
      let token = root?.observe(\.child?.value, options: [.prior, .new]) { _, change in
        if change.isPrior { root = nil } else { values.append(change.newValue ?? nil) }
      }
      child.value = 1
      #expect(values == [1])
      #expect(weakRoot == nil)
      withExtendedLifetime(token) {}
    }

    @Test("P11, P14: it lives until a change that waits for that one is delivered")
    func releasedWhileChangeWaits() {
      var root: Root? = Root(child)
      weak let weakRoot = root
      var values: [Int?] = []
      let token = root?.observe(\.child?.value, options: .new) { [child] _, change in
        values.append(change.newValue ?? nil)
        if values.count == 1 {
          child.value = 2
          root = nil
        }
      }
      child.value = 1
      #expect(values == [1, 2])
      #expect(weakRoot == nil)
      withExtendedLifetime(token) {}
    }
  }
}

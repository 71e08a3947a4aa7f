import KeyValueObserving
import KeyValueObservingTesting
import Testing

@Suite("expectChanges")
struct ExpectChangesTests {
  private let article = Article()

  @Test("it passes if the changes are those expected, and returns the result of the closure")
  func success() async {
    let result = expectChanges(
      of: \.title, on: article, [.setting(from: nil, to: "a"), .setting(from: "a", to: nil)]
    ) {
      article.title = "a"
      article.title = nil
      return 7
    }
    #expect(result == 7)
    await expectChanges(of: \.count, on: article, [.setting(to: 1)], options: .new) {
      await Task.yield()
      article.count = 1
    }
  }

  @Test("a failure shows what is expected and what is found, line by line")
  func failure() {
    let found = failures {
      expectChanges(
        of: \.count, on: article,
        [.setting(from: 0, to: 1), .setting(from: 1, to: 2), .setting(from: 2, to: 3)]
      ) {
        for count in [1, 5, 2, 3] { article.count = count }
      }
    }
    #expect(
      found == [
        """
        Article.count: the changes differ from those expected ('-' expected, but missing; '+' \
        found, but not expected).
            setting from 0 to 1
          - setting from 1 to 2
          + setting from 1 to 5
          + setting from 5 to 2
            setting from 2 to 3
        """
      ])
  }

  @Test("a failure distinguishes values of two types, and two objects, with one description")
  func alike() {
    let typed = failures {
      let recorder = KeyValueChangeRecorder()
      recorder.observe(\.count, of: article, options: .new)
      article.count = 1
      recorder.expect([.init("", .setting(to: 1 as Int8))])
    }
    #expect(
      typed.first?.hasSuffix(
        """
          - setting to 1 of type Int8
          + setting to 1 of type Int
        """) == true)
    let (one, other) = (Author(), Author())
    let objects = failures {
      expectChanges(of: \.author, on: article, [.setting(to: one)], options: .new) {
        article.author = other
      }
    }
    let lines = objects.first?.split(separator: "\n").dropFirst() ?? []
    #expect(Set(lines.map { $0.dropFirst(4) }).count == 2)
  }

  @Test("missing and surplus changes fail alike")
  func counts() {
    let missing = failures {
      expectChanges(of: \.count, on: article, [.setting(from: 0, to: 1)]) {}
    }
    #expect(missing.count == 1 && missing[0].hasSuffix("\n  - setting from 0 to 1"))
    let surplus = failures { expectChanges(of: \.count, on: article, []) { article.count = 1 } }
    #expect(surplus.count == 1 && surplus[0].hasSuffix("\n  + setting from 0 to 1"))
  }

  @Test("the observation does not outlast the block, also if that throws")
  func ends() {
    struct Failure: Error {}
    expectNoLiveObservations {
      #expect(throws: Failure.self) {
        try expectChanges(of: \.count, on: article, [.setting(from: 0, to: 1)]) { throw Failure() }
      }
      expectChanges(of: \.count, on: article, []) {}
    }
  }
}

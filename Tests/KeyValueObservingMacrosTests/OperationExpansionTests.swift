import Testing

@testable import KeyValueObservingMacros

/// Foundation's `Operation` has functions that hide those of the library on Linux.
@Suite struct OperationExpansionTests {
  @Test("A subclass of Operation that notifies manually gets properties that notify both")
  func members() {
    let text = Expansion(
      of: """
        @KeyValueObservable
        open class Download: Operation {
          func finish() { didChangeValue(forKey: "isFinished") }
        }
        """,
      [KeyValueObservableMacro.self]
    ).text
    #expect(
      text.contains(
        #"""
          public var didChangeValue: KeyValueObserving._$ManualNotification<Download> {
            .init(
              of: self, isBeginning: false,
              inheritedKeys: [\.isCancelled: "isCancelled", \.isExecuting: "isExecuting", \.isFinished: "isFinished", \.isReady: "isReady"],
              callSuperclass: { super.didChangeValue(forKey: $0) }
            )
          }
        """#))
    #expect(text.contains("public var willChangeValue: "))
  }

  @Test(
    "So does one that names Foundation's, and no other class",
    arguments: [
      ("class Download: Foundation.Operation {}", true),
      ("class Download: BlockOperation { func a() { willChangeValue(for: \\.b) } }", true),
      ("class Download: Operation { func a() { finish() } }", false),
      ("class Download: NSObject { func a() { willChangeValue(for: \\.b) } }", false),
      ("class Download { func a() { willChangeValue(for: \\.b) } }", false),
    ])
  func classes(declaration: String, hasMembers: Bool) {
    let made = Expansion(of: "@KeyValueObservable \(declaration)")
    #expect(made.text.contains("var willChangeValue:") == hasMembers)
    #expect(made.diagnostics.isEmpty)
  }

  @Test("A superclass that seems to be an operation of the user is to be annotated")
  func warning() {
    let declaration = "class Download: NetworkOperation { func a() { willChangeValue(for: \\.b) } }"
    let made = Expansion(of: "@KeyValueObservable \(declaration)")
    #expect(
      made.diagnostics.map(\.message) == [
        "'willChangeValue' and 'didChangeValue' in 'Download' notify no observers if "
          + "'NetworkOperation' is a subclass of 'Operation', which has functions of these names; add "
          + "'@KeyValueObservable' to 'NetworkOperation'"
      ])
    #expect(made.diagnostics.map(\.diagMessage.severity) == [.warning])
    let inherited = Expansion(
      of: "@KeyValueObservable \(declaration)", inheritsConformance: true)
    #expect(inherited.diagnostics.isEmpty && !inherited.text.contains("var willChangeValue:"))
  }
}

import KeyValueObserving
import KeyValueObservingTesting
import Synchronization
import Testing

@Suite("expectNoDiagnostics")
struct ExpectNoDiagnosticsTests {
  private let file = "KeyValueObservingTestingTests/ExpectNoDiagnosticsTests.swift"

  @Test("a diagnostic is reported with its identifier and the line that caused it")
  func call() {
    let found = failures {
      expectNoDiagnostics { Article().willChangeValue(forKey: "titel") }
    }
    let line = #line - 2
    #expect(
      found == [
        """
        1 diagnostic was reported in the block.
          willChangeValue(forKey: "titel"): Article has no key 'titel', so no observer is notified. Did \
        you mean 'title'? [unknownProperty]
            caused at \(file):\(line)
        """
      ])
  }

  @Test("P18: a notification loop is reported with the line that registered the observer")
  func loop() {
    let article = Article()
    var lines: [Int] = []
    let found = failures {
      expectNoDiagnostics {
        let quiet = article.onChange(of: \.count) { _ in }
        let token = article.onChange(of: \.count) { article.count = $0 + 1 }
        lines.append(#line - 1)
        article.count = 1
        lines.append(#line - 1)
        withExtendedLifetime((quiet, token)) {}
      }
    }
    #expect(found.count == 1)
    let registration = " Registered at \(file):\(lines[0]). [nonConvergence]\n"
    #expect(found.first?.contains(registration + "    caused at \(file):") == true, "\(found)")
    #if DEBUG
      // The setter is not inlined.
      #expect(found.first?.hasSuffix(":\(lines[1])") == true, "\(found)")
    #endif
  }

  @Test("a diagnostic of a key path has the line that registered it, when registering and later")
  func keyPaths() throws {
    let locations = Mutex<[String?]>([])
    let box = Box()
    var lines: [String] = []
    // The watch of live observations knows the lines, and this handler sees what it knows.
    try expectNoLiveObservations {
      try KeyValueDiagnostics.withHandler { diagnostic in
        locations.withLock { $0.append(diagnostic.registrationLocation?.description) }
      } operation: {
        let ignored = box.onChange(of: \.note) { _ in }
        lines.append("\(file):\(#line - 1)")
        let first = try box.onChange("content.title") {}
        lines.append("\(file):\(#line - 1)")
        let second = try box.onChange("content.count") {}
        lines.append("\(file):\(#line - 1)")
        box.content = "text"
        withExtendedLifetime((ignored, first, second)) {}
      }
    }
    #expect(locations.withLock { $0 } == lines)
  }

  @Test("the location of the registration is unknown outside of the kit")
  func unknownLocation() {
    let article = Article()
    let locations = Mutex<[KeyValueDiagnostic.SourceLocation?]>([])
    KeyValueDiagnostics.withHandler { diagnostic in
      locations.withLock { $0.append(diagnostic.registrationLocation) }
    } operation: {
      let token = article.onChange(of: \.count) { article.count = $0 + 1 }
      article.count = 1
      token.invalidate()
    }
    #expect(locations.withLock { $0 } == [nil])
  }

  @Test("a closure without diagnostics passes, and its result is returned")
  func passes() async {
    let article = Article()
    let result = expectNoDiagnostics {
      article.title = "a"
      return 1
    }
    let asynchronous = await expectNoDiagnostics {
      await Task.yield()
      return article.title
    }
    #expect(result == 1 && asynchronous == "a")
  }

  @Test("diagnostics of an asynchronous closure and of its tasks count, and those of others do not")
  func tasks() async {
    await withKnownIssue {
      await expectNoDiagnostics {
        await Task { Article().willChangeValue(forKey: "a") }.value
        await Task.yield()
        Article().willChangeValue(forKey: "b")
        KeyValueDiagnostics.withHandler(nil) { Article().willChangeValue(forKey: "c") }
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.hasPrefix("2 diagnostics were reported") && !text.contains("\"c\"")
        && issue.sourceLocation?.fileID == file
    }
  }

  @Test("diagnostics are reported also if the closure throws")
  func throwing() {
    let found = failures {
      try? expectNoDiagnostics {
        Article().willChangeValue(forKey: "titel")
        throw CancellationError()
      }
    }
    #expect(found.count == 1)
  }
}

@KeyValueObservable
private final class Box {
  var content: Any?
  @KeyValueIgnored var note = ""
}

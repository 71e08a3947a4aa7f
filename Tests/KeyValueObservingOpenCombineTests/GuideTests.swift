#if canImport(Combine) || OpenCombine
  import KeyValueObservingOpenCombine
  import Testing

  #if canImport(Combine)
    import Combine
  #else
    import OpenCombine
  #endif

  // The code of the article on OpenCombine, which a test of PortingTests compares with the article.
  extension AllTests {
    @Suite("The article on OpenCombine")
    struct GuideTests {
      // guide: combine-values
      @KeyValueObservable
      final class Search {
        var query = ""
        var hits: [String] = []
        var summary: String { "\(hits.count) for '\(query)'" }
      }
      // end

      @Test("P3, P21, P31: values of properties")
      func values() {
        expectPrints("''", "0 for ''", "'swift'", "0 for 'swift'") {
          // guide: combine-values
          let search = Search()
          var cancellables: Set<AnyCancellable> = []
          search.publisher(for: \.query)
            .removeDuplicates()
            .sink { print("'\($0)'") }  // prints ''
            .store(in: &cancellables)
          search.publisher(for: \.summary)
            .sink { print($0) }  // prints 0 for ''
            .store(in: &cancellables)
          search.query = "swift"
          // prints 'swift'
          // prints 0 for 'swift'
          // end
          cancellables = []
        }
      }

      @Test("P2, P26: options and changes")
      func options() {
        expectPrints("", "a", "a", "b", "setting from \"a\" to \"b\"") {
          // guide: combine-options
          let search = Search()
          let both = search.publisher(for: \.query, options: [.new, .prior])
            .sink { print($0) }
          search.query = "a"
          // prints an empty line, the value before
          // prints a
          let changes = search.changePublisher(for: \.query, options: [.old, .new])
            .sink { print($0) }
          search.query = "b"
          // prints a
          // prints b
          // prints setting from "a" to "b"
          // end
          both.cancel()
          changes.cancel()
        }
      }

      @Test("P33: completion")
      func completion() {
        expectPrints("swift", "finished") {
          // guide: combine-completion
          var search: Search? = Search()
          search?.query = "swift"
          let cancellable = search!.publisher(for: \.query)
            .sink { _ in
              print("finished")
            } receiveValue: {
              print($0)  // prints swift
            }
          search = nil  // prints finished
          // end
          cancellable.cancel()
        }
      }
    }
  }

  /// The output of the article's code.
  private final class Transcript: Sendable {
    @TaskLocal static var current: Transcript?
    nonisolated(unsafe) var lines: [String] = []
  }

  /// Takes the place of Swift's own `print`.
  private func print(_ items: Any...) {
    Transcript.current?.lines.append(items.map { "\($0)" }.joined(separator: " "))
  }

  private func expectPrints(
    _ lines: String..., at location: SourceLocation = #_sourceLocation, by body: () -> Void
  ) {
    let transcript = Transcript()
    Transcript.$current.withValue(transcript, operation: body)
    #expect(transcript.lines == lines, sourceLocation: location)
  }
#endif

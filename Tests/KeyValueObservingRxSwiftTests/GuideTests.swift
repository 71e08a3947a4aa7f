#if RxSwift
  import KeyValueObservingRxSwift
  import RxSwift
  import Testing

  // The code of the article on RxSwift, which a test of PortingTests compares with the article.
  extension AllTests {
    @Suite("The article on RxSwift")
    struct GuideTests {
      // guide: rxswift-values
      @KeyValueObservable
      final class Player {
        var title = "Prelude"
        var volume: Int32 = 5
        var queue: [String] = []
        weak var album: Album?
      }

      @KeyValueObservable
      final class Album {
        var name = "Piano"
      }
      // end

      @Test("P3, P31: values of key paths and of strings")
      func values() {
        expectPrints("Prelude", "5", "Fugue", "7") {
          // guide: rxswift-values
          let player = Player()
          let bag = DisposeBag()
          player.rx.observe(\.title)
            .subscribe(onNext: { print($0) })  // prints Prelude
            .disposed(by: bag)
          player.rx.observe(Int.self, "volume")
            .subscribe(onNext: { print($0 ?? 0) })  // prints 5
            .disposed(by: bag)
          player.title = "Fugue"  // prints Fugue
          player.volume = 7  // prints 7
          // end
          withExtendedLifetime(bag) {}
        }
      }

      @Test("P27, P33: weak links, and the end of an object")
      func weakly() {
        expectPrints("nil", "Piano", "nil", "Organ", "nil", "completed", "gone") {
          // guide: rxswift-weakly
          var player: Player? = Player()
          _ = player!.rx.observeWeakly(String.self, "album.name")
            .subscribe(
              onNext: { print($0 ?? "nil") },  // prints nil
              onCompleted: { print("completed") })
          _ = player!.rx.deallocated.subscribe(onNext: { print("gone") })

          var album: Album? = Album()
          player?.album = album  // prints Piano
          album = nil  // prints nil: the weak property is nil now
          album = Album()
          album?.name = "Organ"
          player?.album = album  // prints Organ
          player = nil  // prints nil, completed, gone
          // end
        }
      }

      @Test("P26, P35: changes")
      func changes() {
        expectPrints("setting from [] to [\"Fugue\"]", "insertion [0, 1]") {
          // guide: rxswift-changes
          let player = Player()
          let changes = player.rx.changes(of: \.queue, options: [.old, .new])
          let disposable = changes.subscribe(onNext: { change in
            if let indexes = change.indexes {
              print(change.kind, indexes.ranges.flatMap { Array($0) })
            } else {
              print(change)
            }
          })
          player.queue = ["Fugue"]  // prints setting from [] to ["Fugue"]
          player.mutableArrayValue(for: \.queue)
            .insert(contentsOf: ["Prelude", "Toccata"], at: 0)  // prints insertion [0, 1]
          // end
          disposable.dispose()
        }
      }

      @Test("P6: errors")
      func errors() {
        let expected = "Player has no key 'titel'. Did you mean 'title'?"
        expectPrints(expected) {
          // guide: rxswift-errors
          let player = Player()
          _ = player.rx.observe(String.self, "titel").subscribe(onError: { error in
            print(error)  // prints Player has no key 'titel'. Did you mean 'title'?
          })
          // end
        }
      }

      @Test("P8: binding")
      @MainActor
      func binding() {
        // guide: rxswift-binding
        let (player, remote) = (Player(), Player())
        let disposable = remote.rx.observe(\.title).subscribe(player.rx.title)
        remote.title = "Toccata"
        // player.title is "Toccata" by now
        // end
        #expect(player.title == "Toccata")
        disposable.dispose()
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

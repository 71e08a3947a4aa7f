import KeyValueObserving
import Testing

@Suite("Porting callbacks that go on to the main queue")
struct MainQueueTests {
  @KeyValueObservable
  final class Download {
    var percent = 0
  }

  // guide: main-actor
  @MainActor
  final class Banner {
    private var text = ""
    private var observation: KeyValueObservation?

    func show(_ download: Download) {
      observation = download.observe(\.percent, options: .initial) {
        [unowned self] download, _ in
        text = "\(download.percent) %"
        print(text)
      }
    }
  }
  // end

  @MainActor
  @Test("P40: what went on to the main queue is registered on the main actor, and called there")
  func onTheMainActor() throws {
    try expectPrints("main-actor") {
      // guide: main-actor
      let download = Download()
      let banner = Banner()
      banner.show(download)  // prints 0 %
      download.percent = 50  // prints 50 %
      // end
    }
  }
}

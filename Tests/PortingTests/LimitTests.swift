import Foundation
import KeyValueObserving
import Testing

@Suite("What the guide says of the limits of porting")
struct LimitTests {
  @KeyValueObservable
  final class Download: Operation, @unchecked Sendable {
    var progress = (done: 0, of: 10)
  }

  @Test("P8: a subclass of a class that is not ours is observed in what it adds, of any type")
  func framework() {
    let download = Download()
    var history: [Int] = []
    let observation = download.onChange(of: \.progress) { history.append($0.done) }
    download.progress = (3, of: 10)
    download.progress.done = 4
    download.cancel()
    #expect(history == [3, 4])
    observation.invalidate()
    #expect(throws: KeyValueCodingError.self) {
      try download.observe("isCancelled") { _, _ in }.invalidate()
    }
  }

  @Test("P6, P21: a computed property of an extension has no key, and can be observed")
  func extensions() {
    let queue = DownloadQueue()
    var history: [Bool] = []
    let observation = queue.onChange(of: \.isEmpty) { history.append($0) }
    queue.waiting = 1
    #expect(history == [false])
    observation.invalidate()
    #expect(throws: KeyValueCodingError.self) {
      try queue.observe("isEmpty") { _, _ in }.invalidate()
    }
  }

  @Test("P42: every number becomes a CGFloat that has exactly its value")
  func graphics() throws {
    let queue = DownloadQueue()
    let numbers: [Any] = [3, Int8(-4), UInt64(5), 2.5, Float(0.5), true, NSNumber(value: 7.5)]
    for (number, expected) in zip(numbers, [3, -4, 5, 2.5, 0.5, 1, 7.5] as [CGFloat]) {
      try queue.setValue(number, forKey: "width")
      #expect(queue.width == expected)
    }
    #expect(throws: KeyValueCodingError.self) { try queue.setValue(Int.max, forKey: "width") }
    #expect(queue.width == 7.5)
    try queue.setValue(CGFloat(3), forKey: "waiting")
    #expect(queue.waiting == 3)
  }

  @Test("P42: NSNull is a value like others, and what JSON holds is set without it")
  func null() throws {
    let queue = DownloadQueue()
    let text = Data(#"{"title": null, "waiting": 2}"#.utf8)
    let values = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    #expect(throws: KeyValueCodingError.self) { try queue.setValues(values) }
    #expect(queue.title == "a")
    try queue.setValues(values.mapValues { $0 is NSNull ? nil : $0 })
    #expect(queue.title == nil && queue.waiting == 2)
    try queue.setValue(NSNull(), forKey: "anything")
    #expect(queue.anything is NSNull)
  }
}

@KeyValueObservable
private final class DownloadQueue {
  var waiting = 0
  var title: String? = "a"
  var anything: Any?
  var width: CGFloat = 0
}

extension DownloadQueue {
  fileprivate var isEmpty: Bool { waiting == 0 }
}

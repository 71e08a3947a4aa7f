import Foundation
import KeyValueObserving
import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Handing events over one at a time")
  struct EventSerializerTests {
    @Test("An event that comes while another is handed over is handed over after it")
    func nested() {
      let serializer = EventSerializer()
      let recorder = Recorder()
      func receive(_ recorder: Recorder, _ event: Int) {
        recorder.write("> \(event)")
        if event < 3 {
          serializer.send(event * 2 + 1, to: recorder, receive)
          serializer.send(event * 2 + 2, to: recorder, receive)
        }
        recorder.write("< \(event)")
      }
      serializer.send(0, to: recorder, receive)
      #expect(recorder.take() == (0...6).flatMap { ["> \($0)", "< \($0)"] })
      serializer.send(7, to: recorder, receive)
      #expect(recorder.take() == ["> 7", "< 7"])
    }

    @Test("An event that waited is released when it has been handed over, with no lock held")
    func released() {
      let serializer = EventSerializer()
      let recorder = Recorder()
      serializer.send((), to: recorder) { recorder, _ in
        do {
          let canary = Canary {
            recorder.write("released")
            serializer.send((), to: recorder) { recorder, _ in recorder.write("nested") }
          }
          serializer.send(canary, to: recorder) { recorder, _ in recorder.write("received") }
        }
        recorder.write("first")
      }
      #expect(recorder.take() == ["first", "received", "released", "nested"])
    }

    @Test("P11: four threads that set one key 500 times are 2000 events, never two at a time")
    func threads() async {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Thread.detachNewThread {
          let node = SharedNode()
          let serializer = EventSerializer()
          // Not guarded: ThreadSanitizer sees two events at a time, and so do the counts.
          let received = Unguarded()
          let observer = KeyValueObserver(
            source: node, keyPath: \.value, options: .new, isolation: nil
          ) { change, _ in
            serializer.send(change.newValue!, to: received) { received, value in
              received.depth += 1
              #expect(received.depth == 1)
              received.values.append(value)
              received.depth -= 1
            }
          }
          DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<500 { node.value = thread * 500 + number }
          }
          observer.cancel()
          #expect(received.values.count == 2000)
          #expect(Set(received.values) == Set(0..<2000))
          for thread in 0..<4 {
            let own = received.values.filter { $0 / 500 == thread }
            #expect(own == own.sorted(), "each thread's events keep their order")
          }
          continuation.resume()
        }
      }
    }
  }
}

private final class Unguarded: @unchecked Sendable {  // what the serializer guards
  var depth = 0
  var values: [Int] = []
}

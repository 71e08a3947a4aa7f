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
      await onThread {
        let node = SharedNode()
        let (serializer, received) = (EventSerializer(), Unguarded())
        // A value may be one that another thread has set since, so only their number is certain.
        let observer = KeyValueObserver(
          source: node, keyPath: \.value, options: .new, isolation: nil
        ) { change, _ in
          serializer.send(change.newValue!, to: received) { $0.receive($1) }
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for number in 0..<500 { node.value = thread * 500 + number }
        }
        observer.cancel()
        #expect(received.values.count == 2000)
      }
    }

    @Test("four threads that send 500 events each lose none and keep the order of each thread")
    func sendingThreads() async {
      await onThread {
        let (serializer, received) = (EventSerializer(), Unguarded())
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for number in 0..<500 {
            serializer.send(thread * 500 + number, to: received) { $0.receive($1) }
          }
        }
        #expect(received.values.sorted() == Array(0..<2000))
        for thread in 0..<4 {
          let own = received.values.filter { $0 / 500 == thread }
          #expect(own == own.sorted(), "each thread's events keep their order")
        }
      }
    }

    /// Runs `body` on a thread of its own, which may wait for others.
    private func onThread(_ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          body()
          continuation.resume()
        }
      }
    }
  }
}

/// The state that the serializer guards: without a lock, ThreadSanitizer sees two events at a time,
/// and so does the depth.
private final class Unguarded: @unchecked Sendable {
  private var depth = 0
  private(set) var values: [Int] = []

  func receive(_ value: Int) {
    depth += 1
    #expect(depth == 1)
    values.append(value)
    depth -= 1
  }
}

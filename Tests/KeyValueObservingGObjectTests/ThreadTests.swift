#if GObject
  import CGObject
  import CGObjectModels
  import Dispatch
  import KeyValueObservingCore
  import KeyValueObservingGObject
  import Testing

  extension GObjectTests {
    @Suite("Threads")
    struct ThreadTests {
      /// What threads have received, in some order.
      private final class Received: @unchecked Sendable {  // guarded by `lock`
        private let lock = Lock()
        private var changes: [(old: UInt32, new: UInt32)] = []

        func add(_ change: KeyValueChange<Any?>) {
          let pair = (change.oldValue as! UInt32, change.newValue as! UInt32)
          lock.withLock { changes.append(pair) }
        }

        /// The changes, each of which begins where another one ends.
        var chain: [(old: UInt32, new: UInt32)] {
          lock.withLock { changes.sorted { $0.old < $1.old } }
        }
      }

      private static let threads = 4
      private static let times = 500

      /// Counts in a GObject on several threads.
      private func count(_ model: GObjectSource) {
        nonisolated(unsafe) let object = OpaquePointer(model.pointer)
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
          for _ in 0..<Self.times { kvo_model_count(object) }
        }
      }

      @Test("P8: notifications on four threads are delivered there, without a gap")
      func notifications() throws {
        let model = makeModel()
        let received = Received()
        let token = try model.observe("count", options: [.old, .new], isolation: nil) { _, change in
          received.add(change)
        }
        count(model)
        let chain = received.chain
        #expect(chain.first?.old == 0)
        #expect(chain.last?.new == UInt32(Self.threads * Self.times))
        #expect(zip(chain, chain.dropFirst()).allSatisfy { $0.new == $1.old })
        withExtendedLifetime((token, model)) {}
      }

      @Test("P40: an observation of the main actor receives what four threads notify")
      @MainActor
      func mainActor() async throws {
        let model = makeModel()
        let last = UInt32(Self.threads * Self.times)
        var former: UInt32 = 0
        nonisolated(unsafe) let shared = model
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
          var token: KeyValueObservation?
          token = try? model.observe("count", options: .new) { _, change in
            MainActor.assertIsolated()
            former = max(former, change.newValue as! UInt32)
            guard former == last, token != nil else { return }
            token = nil
            done.resume()
          }
          DispatchQueue.global().async { self.count(shared) }
        }
        #expect(former == last)
        withExtendedLifetime(model) {}
      }

      @Test("P38: four threads begin and end observations while others notify")
      func registering() throws {
        let model = makeModel()
        nonisolated(unsafe) let source = model
        nonisolated(unsafe) let object = OpaquePointer(model.pointer)
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
          for _ in 0..<Self.times {
            if thread % 2 == 0 {
              kvo_model_count(object)
            } else {
              let token = try? source.observe(
                "count", options: [.old, .new], isolation: nil
              ) { _, _ in }
              withExtendedLifetime(token) {}
            }
          }
        }
        #expect(kvo_is_notified(model.pointer, "count") == 0)
        withExtendedLifetime(model) {}
      }

      @Test("threads that take and release references share one source, which outlives them")
      func references() {
        let model = makeModel()
        nonisolated(unsafe) let object = model.pointer
        let identity = ObjectIdentifier(model)
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
          for _ in 0..<Self.times {
            g_object_ref(object)
            #expect(ObjectIdentifier(GObjectSource.of(object)) == identity)
            g_object_unref(object)
          }
        }
        withExtendedLifetime(model) {}
      }

      @Test("a GObject whose last references go on two threads at the same time ends once")
      func lastReferences() {
        for _ in 0..<Self.times {
          nonisolated(unsafe) let object = UnsafeMutableRawPointer(kvo_model_new()!)
          nonisolated(unsafe) var source: GObjectSource? = GObjectSource.of(object)
          DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
              g_object_unref(object)
            } else {
              // Each of these takes a reference and releases it.
              _ = source?["double"]
              source = nil
            }
          }
        }
        #expect(kvo_model_live_count() == 0)
      }

      @Test("one source is made where four threads ask for it first")
      func firstSource() {
        for _ in 0..<Self.times {
          nonisolated(unsafe) let object = UnsafeMutableRawPointer(kvo_model_new()!)
          let identities = Identities()
          DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            identities.add(GObjectSource.of(object))
          }
          #expect(identities.count == 1)
          g_object_unref(object)
        }
      }

      private final class Identities: @unchecked Sendable {  // guarded by `lock`
        private let lock = Lock()
        private var found: Set<ObjectIdentifier> = []

        func add(_ object: AnyObject) {
          lock.withLock { _ = found.insert(ObjectIdentifier(object)) }
        }

        var count: Int { lock.withLock { found.count } }
      }
    }
  }
#endif

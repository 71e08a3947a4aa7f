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
      /// The changes that threads have received, in some order.
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
      private func count(_ model: OpaquePointer) {
        nonisolated(unsafe) let model = model
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
          for _ in 0..<Self.times { kvo_model_count(model) }
        }
      }

      @Test("P8: notifications on four threads are delivered there, without a gap")
      func notifications() throws {
        let model = makeModel()
        let received = Received()
        let token = try model.observe("count", options: [.old, .new], isolation: nil) { _, change in
          received.add(change)
        }
        count(OpaquePointer(model.pointer))
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
        var greatest: UInt32 = 0
        nonisolated(unsafe) let object = OpaquePointer(model.pointer)
        let token = try model.observe("count", options: .new) { _, change in
          MainActor.assertIsolated()
          greatest = max(greatest, change.newValue as! UInt32)
        }
        // Nothing but the model of this function is kept: changes that wait keep it as well.
        await Task.detached { self.count(object) }.value
        while greatest < last { await Task.yield() }
        token.invalidate()
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        withExtendedLifetime(model) {}
      }

      @Test("P11: a value that was read before a newer one does not come after that")
      func lateRead() throws {
        let model = makeModel()
        nonisolated(unsafe) let lines = Lines()
        let token = try model.observe("double", options: [.old, .new], isolation: nil) {
          _, change in
          lines.write("\(change)")
        }
        // The source has stored 1 and reads it, while another thread sets 2.
        kvo_model_on_read(OpaquePointer(model.pointer)) { object in
          nonisolated(unsafe) let object = object
          let isSet = DispatchSemaphore(value: 0)
          DispatchQueue.global().async {
            kvo_set_double(object, "double", 2)
            isSet.signal()
          }
          isSet.wait()
        }
        model["double"] = 1.0
        #expect(lines.take() == ["setting from 0.0 to 2.0", "setting from 0.0 to 2.0"])
        kvo_set_double(model.pointer, "double", 3)
        #expect(lines.take() == ["setting from 2.0 to 3.0"])
        withExtendedLifetime((token, model)) {}
      }

      @Test("P12: a getter in C that sets the property is delivered what it sets")
      func setInGetter() throws {
        let model = makeModel()
        let lines = Lines()
        let token = try model.observe(
          "double", options: [.old, .new], changeHandler: lines.writer())
        kvo_model_on_read(OpaquePointer(model.pointer)) { kvo_set_double($0, "double", 2) }
        model["double"] = 1.0
        #expect(lines.take().last == "setting from 0.0 to 2.0")
        kvo_set_double(model.pointer, "double", 3)
        #expect(lines.take() == ["setting from 2.0 to 3.0"])
        withExtendedLifetime((token, model)) {}
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

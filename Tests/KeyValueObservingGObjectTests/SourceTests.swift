#if GObject
  import CGObject
  import CGObjectModels
  import Testing

  @testable import KeyValueObservingGObject

  extension GObjectTests {
    @Suite("Sources")
    struct SourceTests {
      private let lines = Lines()

      @Test("a GObject has one source, the same each time")
      func oneSource() {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        let source = GObjectSource.of(object)
        #expect(source === GObjectSource.of(object))
        #expect(source === GObjectSource.of(OpaquePointer(object)))
        #expect(source.pointer == object)
        #expect(source.typeName == "KVOModel")
        g_object_unref(object)
      }

      @Test("the source lives as long as C keeps the GObject, and is the same then")
      func keptByC() throws {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        weak let source = GObjectSource.of(object)
        #expect(source != nil)
        let token = try GObjectSource.of(object).observe(
          "double", options: .new, changeHandler: lines.writer())
        kvo_set_double(object, "double", 1)
        #expect(lines.take() == ["setting to 1.0"])
        #expect(source === GObjectSource.of(object))
        g_object_unref(object)
        #expect(source == nil)
        withExtendedLifetime(token) {}
      }

      @Test("Swift alone keeps a GObject")
      func keptBySwift() {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        var source: GObjectSource? = GObjectSource.of(object)
        g_object_unref(object)
        #expect(kvo_model_live_count() == 1)
        // C gets a reference and gives it up again.
        g_object_ref(object)
        g_object_unref(object)
        #expect(source === GObjectSource.of(object))
        source = nil
        #expect(kvo_model_live_count() == 0)
      }

      @Test("P27, P33: where the GObject is finalized, its source is deallocated")
      func finalization() throws {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        let holder = Holder()
        holder.source = GObjectSource.of(object)
        let lines = lines
        let observer = try KeyValueObserver(source: GObjectSource.of(object), keyPath: "double") {
          _, reason in lines.write("\(reason)")
        }
        let path = holder.observe(
          \.source?[.double], options: [.old, .new], changeHandler: lines.writer("path"))
        #expect(lines.take() == ["valueChanged"])
        g_object_unref(object)
        #expect(
          Set(lines.take()) == ["sourceDeleted", "path: setting from 0.0 to nil, path changed"])
        #expect(holder.source == nil)
        withExtendedLifetime((observer, path)) {}
      }

      @Test("P14, P33: a GObject that loses its last reference in a callback outlives the delivery")
      func finalizationInCallback() throws {
        nonisolated(unsafe) let object = UnsafeMutableRawPointer(kvo_model_new()!)
        let lines = lines
        let first = try GObjectSource.of(object).observe("double", options: .new) { _, change in
          lines.write("1: \(change)")
          g_object_unref(object)
        }
        let second = try KeyValueObserver(
          source: GObjectSource.of(object), keyPath: "double", options: .new
        ) { change, _ in lines.write("2: \(change)") }
        GObjectSource.of(object)["double"] = 1.0
        #expect(
          lines.take() == [
            "1: setting to 1.0", "2: setting to 1.0", "2: setting, source deleted",
          ])
        #expect(kvo_model_live_count() == 0)
        withExtendedLifetime((first, second)) {}
      }

      @Test("P14: the same where C makes the change")
      func finalizationInNotify() throws {
        nonisolated(unsafe) let object = UnsafeMutableRawPointer(kvo_model_new()!)
        let lines = lines
        let token = try GObjectSource.of(object).observe("double", options: .new) { _, change in
          lines.write("\(change)")
          g_object_unref(object)
        }
        kvo_set_double(object, "double", 1)
        #expect(lines.take() == ["setting to 1.0"])
        #expect(kvo_model_live_count() == 0)
        withExtendedLifetime(token) {}
      }

      @Test("two GObjects that hold each other end when one lets go, observed or not")
      func holdingEachOther() throws {
        let first = UnsafeMutableRawPointer(kvo_model_new()!)
        let second = UnsafeMutableRawPointer(kvo_model_new()!)
        kvo_set_object(first, "child", second)
        kvo_set_object(second, "child", first)
        let tokens = [
          try GObjectSource.of(first).observe(
            "child.child.double", options: .new, changeHandler: lines.writer())
        ]
        kvo_set_double(first, "double", 1)
        #expect(lines.take() == ["setting to 1.0"])
        g_object_unref(second)
        #expect(kvo_model_live_count() == 2)
        kvo_set_object(first, "child", nil)
        #expect(lines.take() == ["setting to nil, path changed"])
        g_object_unref(first)
        #expect(kvo_model_live_count() == 0)
        withExtendedLifetime(tokens) {}
      }

      @Test("P5: an observation keeps no GObject on its path")
      func keepsNothing() throws {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        let child = UnsafeMutableRawPointer(kvo_model_new()!)
        kvo_set_object(object, "child", child)
        g_object_unref(child)
        let token = try GObjectSource.of(object).observe("child.double") { _, _ in }
        #expect(kvo_model_live_count() == 2)
        g_object_unref(object)
        #expect(kvo_model_live_count() == 0)
        withExtendedLifetime(token) {}
      }

      @Test("a floating reference stays floating, and is taken where one is taken")
      func floating() {
        let object = UnsafeMutableRawPointer(kvo_floating_model_new()!)
        var source: GObjectSource? = GObjectSource.of(object)
        #expect(g_object_is_floating(object) != 0)
        source = nil
        #expect(kvo_model_live_count() == 1)
        source = GObjectSource.taking(object)
        #expect(g_object_is_floating(object) == 0)
        #expect(source != nil)
        source = nil
        #expect(kvo_model_live_count() == 0)
      }

      @Test("a GObject that is disposed may get a source, and none of it is left")
      func sourceInDispose() throws {
        let object = kvo_model_new()!
        nonisolated(unsafe) var seen: UnsafeMutableRawPointer?
        withUnsafeMutablePointer(to: &seen) { seen in
          kvo_model_on_dispose(
            object,
            { seen in
              let source = seen!.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
              source.pointee.map { _ = GObjectSource.of($0) }
            }, seen)
          seen.pointee = UnsafeMutableRawPointer(object)
          g_object_unref(UnsafeMutableRawPointer(object))
        }
        #expect(kvo_model_live_count() == 0)
      }

      @Test("a source that C follows a weak reference to is the same while it lives")
      func weakReference() {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        var reference = GWeakRef()
        g_weak_ref_init(&reference, object)
        var source: GObjectSource? = GObjectSource.taking(object)
        let found = g_weak_ref_get(&reference)!
        #expect(GObjectSource.of(found) === source)
        source = nil
        #expect(kvo_model_live_count() == 1)
        g_object_unref(found)
        #expect(kvo_model_live_count() == 0)
        #expect(g_weak_ref_get(&reference) == nil)
        g_weak_ref_clear(&reference)
      }

      @Test("a source is kept where two threads deliver GLib's notifications in the other order")
      func crossingNotifications() {
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        weak let source = GObjectSource.of(object)
        let tether = Unmanaged.passUnretained(source!.tether).toOpaque()
        let instance = object.assumingMemoryBound(to: CGObject.GObject.self)
        // One thread has released a reference before another one took its own.
        GObjectTether.toggle(tether, instance, 0)
        GObjectTether.toggle(tether, instance, 1)
        #expect(source != nil)
        g_object_unref(object)
        #expect(source == nil)
      }

      @Test("with toggle references of two bindings, the GObject lives until one is removed")
      func twoToggleReferences() {
        let notify: GToggleNotify = { _, _, _ in }
        let object = UnsafeMutableRawPointer(kvo_model_new()!)
        g_object_add_toggle_ref(object.assumingMemoryBound(to: CGObject.GObject.self), notify, nil)
        weak let source = GObjectSource.of(object)
        g_object_unref(object)
        #expect(source != nil)
        g_object_remove_toggle_ref(
          object.assumingMemoryBound(to: CGObject.GObject.self), notify, nil)
        #expect(source == nil)
      }
    }
  }

  /// An object of Swift's that does not keep its GObject.
  @KeyValueObservable
  private final class Holder {
    weak var source: GObjectSource?
  }
#endif

#if GObject
  import CGObject
  import CGObjectModels
  import Foundation
  import KeyValueObservingGObject
  import Testing

  // page: keys
  extension GObjectKey {
    static var hadjustment: GObjectKey<GObjectSource> { "hadjustment" }
    static var upper: GObjectKey<Double> { "upper" }
  }

  @KeyValueObservable
  final class Pages {
    var scroller: GObjectSource?
    var width = 600.0

    var count: Double { (scroller?[.hadjustment]?[.upper] ?? 0) / width }
  }
  // end

  extension GObjectTests {
    /// The code of the article "GObject as a source".
    @Suite("Article")
    struct ArticleTests {
      /// The output of the code.
      private let lines = Lines()

      private func print(_ value: Any) { lines.write("\(value)") }
      private func makeLabel() -> OpaquePointer { kvo_model_new() }
      private func setTitle(_ object: UnsafeMutableRawPointer, _ title: String) {
        kvo_set_string(object, "title", title)
      }
      private func setUpper(_ object: UnsafeMutablePointer<CGObject.GObject>, _ upper: Double) {
        kvo_set_double(object, "upper", upper)
      }

      @Test("a change of a GObject is printed")
      func overview() throws {
        let model = makeModel()
        let pointer = model.pointer
        // page: overview
        let adjustment = GObjectSource.of(pointer)
        let observation = try adjustment.observe("page-size", options: [.old, .new]) { _, change in
          print(change)  // setting from 0.0 to 600.0
        }
        adjustment["page-size"] = 600.0
        // end
        #expect(lines.take() == ["setting from 0.0 to 600.0"])
        // page: refusal
        do {
          try adjustment.setValue(2000, forKey: "page-size")
        } catch {
          print(error)
          // GObjectSource.page-size: 2000.0 is out of range. Pass a number from 0.0 to 1000.0.
        }
        // end
        #expect(
          lines.take() == [
            "GObjectSource.page-size: 2000.0 is out of range. Pass a number from 0.0 to 1000.0."
          ])
        withExtendedLifetime((model, observation)) {}
      }

      @Test("a reference is taken")
      func taking() {
        // page: taking
        let label = GObjectSource.taking(makeLabel())
        label["title"] = "Pages"
        label.withPointer { setTitle($0, "Contents") }
        // end
        #expect(label["title"] as? String == "Contents")
      }

      @Test("a computed property, a typed path and a string path run through GObjects")
      func paths() throws {
        let (pages, scroller) = (Pages(), GObjectSource.taking(kvo_special_model_new()))
        scroller["hadjustment"] = makeModel()
        pages.scroller = scroller
        // page: paths
        let observations = [
          pages.observe(\.count, options: .new) { _, change in print("count \(change)") },
          pages.observe(\.scroller?[.hadjustment]?[.upper], options: .new) { _, change in
            print(change)
          },
          try pages.observe("scroller.hadjustment.upper", options: .new) { _, change in
            print(change)
          },
        ]
        // end
        scroller[.hadjustment]?[.upper] = 900
        #expect(
          lines.take().sorted() == ["count setting to 1.5", "setting to 900.0", "setting to 900.0"])
        withExtendedLifetime(observations) {}
      }

      @Test("a frozen object delivers once")
      func frozen() throws {
        let model = makeModel()
        model["upper"] = 0.0
        let object = model.instance
        let token = try model.observe(
          "upper", options: [.old, .new], changeHandler: lines.writer())
        // page: frozen
        g_object_freeze_notify(object)
        setUpper(object, 1800)
        setUpper(object, 3000)
        g_object_thaw_notify(object)  // setting from 0.0 to 3000.0
        // end
        #expect(lines.take() == ["setting from 0.0 to 3000.0"])
        withExtendedLifetime(token) {}
      }

      #if os(Linux)
        /// Run by the program `GLibMainLoopProgram`; here it is compiled.
        private func run(_ loop: OpaquePointer) {
          // page: loop
          GLibMainLoop.servesMainActor()
          g_main_loop_run(loop)
          // end
        }
      #endif

      @Test("the article shows what is compiled here")
      func shown() throws {
        let tests = URL(filePath: #filePath)
        let article = tests.deletingLastPathComponent().deletingLastPathComponent()
          .deletingLastPathComponent()
          .appending(path: "Sources/KeyValueObservingCore/KeyValueObservingCore.docc")
          .appending(path: "Integrations/GObjectSources.md")
        let compiled = Self.normalized(try String(contentsOf: tests, encoding: .utf8))
          .replacing(/\{ _, change in\s+print\([^\n]*\)\s+\}/, with: "{ _, change in … }")
        let blocks = try String(contentsOf: article, encoding: .utf8)
          .matches(of: /(?:<!-- ([^\n]*) -->\n)?```swift\n((?:.|\n)*?)```/)
          .filter { $0.1 == nil }.map { Self.normalized(String($0.2)) }
        #expect(blocks.count == 7)
        for block in blocks { #expect(compiled.contains(block), "\(block)") }
      }

      /// Code without what the place of a line and its width make of it.
      private static func normalized(_ code: String) -> String {
        code.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
      }
    }
  }
#endif

// Empty without the trait.
#if GObject && os(Linux)
  import CGObject
  import CGObjectModels
  import Dispatch
  import KeyValueObservingGObject

  // The work on the main thread under GLib's main loop, in the order in which it runs.
  //
  // With the argument `unserved` the loop does not serve the main actor.

  if CommandLine.arguments.last != "unserved" {
    GLibMainLoop.servesMainActor()
    GLibMainLoop.servesMainActor()
  }
  let loop = g_main_loop_new(nil, 0)
  let model = GObjectSource.taking(kvo_model_new())
  nonisolated(unsafe) let (pointer, running) = (model.pointer, loop)
  let observation = try model.observe("double", options: .new) { _, change in
    MainActor.assertIsolated()
    print("observed", change.newValue as? Double ?? -1)
    if change.newValue as? Double == 2 { continueOnMainActor() }
  }

  // A change on the main thread is delivered at once; one from another thread is handed over.
  kvo_set_double(pointer, "double", 1)
  DispatchQueue.global().async {
    print("set on another thread")
    kvo_set_double(pointer, "double", 2)
    if CommandLine.arguments.last == "unserved" { quit(after: "timeout", milliseconds: 200) }
  }
  g_main_loop_run(loop)
  withExtendedLifetime((observation, model)) {}

  func continueOnMainActor() {
    Task { @MainActor in
      print("task")
      DispatchQueue.main.async {
        print("block")
        quit(after: "source of GLib's", milliseconds: 0)
      }
    }
  }

  func quit(after name: StaticString, milliseconds: UInt32) {
    _ = g_timeout_add(
      milliseconds,
      { name in
        print(String(cString: name!.assumingMemoryBound(to: UInt8.self)))
        g_main_loop_quit(running)
        return 0
      }, UnsafeMutableRawPointer(mutating: name.utf8Start))
  }
#endif

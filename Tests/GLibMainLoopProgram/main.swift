// Empty without the trait.
#if GObject && os(Linux)
  import CGObject
  import CGObjectModels
  import Dispatch
  import KeyValueObservingGObject

  // What runs on the main thread under GLib's main loop, in the order in which it runs.
  //
  // With the argument `unserved` the loop does not serve the main actor.

  if CommandLine.arguments.last != "unserved" {
    GLibMainLoop.servesMainActor()
    GLibMainLoop.servesMainActor()
  }
  let loop = g_main_loop_new(nil, 0)
  let model = GObjectSource.taking(kvo_model_new())
  let observation = try model.observe("double", options: .new) { _, change in
    MainActor.assertIsolated()
    print("observed", change.newValue as? Double ?? -1)
  }

  // A change on the main thread is delivered at once; one from another thread is handed over.
  kvo_set_double(model.pointer, "double", 1)
  nonisolated(unsafe) let pointer = model.pointer
  nonisolated(unsafe) let running = loop
  DispatchQueue.global().async {
    kvo_set_double(pointer, "double", 2)
    print("set on another thread")
    Task { @MainActor in
      print("task")
      DispatchQueue.main.async {
        print("block")
        // Whatever wakes the loop up comes first.
        _ = g_idle_add_full(
          G_PRIORITY_LOW,
          { _ in
            print("idle")
            g_main_loop_quit(running)
            return 0
          }, nil, nil)
      }
    }
    if CommandLine.arguments.last == "unserved" {
      _ = g_timeout_add(
        200,
        { _ in
          print("timeout")
          g_main_loop_quit(running)
          return 0
        }, nil)
    }
  }
  g_main_loop_run(loop)
  withExtendedLifetime((observation, model)) {}
#endif

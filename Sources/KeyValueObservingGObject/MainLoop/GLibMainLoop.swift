#if GObject && os(Linux)
  internal import CGObject
  // Linked for the two functions that its headers do not declare.
  internal import Dispatch
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// GLib's main loop, as far as Swift takes part in it.
  public enum GLibMainLoop {
    /// Lets GLib's main loop run the work of the main actor and of libdispatch's main queue.
    ///
    /// Call it on the main thread, once, before the main loop runs; further calls do nothing. From
    /// then on `Task { @MainActor in … }`, `DispatchQueue.main.async` and observations that belong
    /// to the main actor work as they do under Foundation's run loop (P40): each is run on the main
    /// thread by the next iteration of the default main context, at the default priority, in the
    /// order of its queue.
    ///
    /// Without it, a change that is made on the main thread still reaches observations of the main
    /// actor immediately. One that is made on another thread is passed to the main actor, whose
    /// queue is not drained while `g_main_loop_run` or `g_application_run` has the main thread: it
    /// is delivered when that has returned and Swift gets the main thread back, if it ever does. A
    /// task of the main actor does not run until then either.
    ///
    /// This work is not run recursively: while code of the main actor runs a main loop of its own,
    /// as for a modal dialog, the main actor waits until that loop has ended.
    public static func servesMainActor() {
      _ = source
    }

    /// Attached for as long as the program runs.
    private static let source: guint = {
      let descriptor = _dispatch_get_main_queue_handle_4CF()
      let source = g_unix_fd_source_new(descriptor, G_IO_IN)
      kvo_set_descriptor_callback(
        source,
        { descriptor, _, _ in
          // The descriptor counts wake-ups, and is readable for as long as they are not read.
          var count: UInt64 = 0
          _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
          _dispatch_main_queue_callback_4CF(nil)
          return gboolean(1)
        })
      let identifier = g_source_attach(source, nil)
      g_source_unref(source)
      return identifier
    }()
  }
#endif

import CGtk
import GTKLifecycle
import KeyValueObservingGObject
import LifecycleObserving

/// Counts the objects of screens that have not been deallocated.
@MainActor
final class Census {
  /// The GObjects that have not been finalized.
  private var liveGObjects = 0
  private var sources: [Weak] = []
  private var models: [Weak] = []

  private struct Weak {
    weak var object: AnyObject?
  }

  var isEmpty: Bool { liveGObjects == 0 && liveSources == 0 && liveModels == 0 }

  /// The counts of objects that have not been deallocated.
  var text: String {
    "\(liveGObjects) GObjects, \(liveSources) sources and \(liveModels) objects of the program"
  }

  private var liveSources: Int { sources.count { $0.object != nil } }
  private var liveModels: Int { models.count { $0.object != nil } }

  /// Counts a screen from now on, with its lifecycle, its book, all widgets of its window, and the
  /// sources that it observes.
  func add(_ screen: PagesScreen) {
    add(screen.view.window)
    let observed =
      screen.book.pages.compactMap(screen.titleEntry) + [screen.scroller, screen.status]
    let adjustment = screen.scroller[.hadjustment]
    if let adjustment { count(adjustment.pointer) }
    sources += (observed + [adjustment].compactMap { $0 }).map(Weak.init)
    models += [screen, screen.lifecycle, screen.book].map(Weak.init)
    models += screen.book.pages.map(Weak.init)
  }

  /// Counts a widget, and those in it.
  private func add(_ widget: Widget) {
    count(widget)
    var child = gtk_widget_get_first_child(widget)
    while let next = child {
      add(next)
      child = gtk_widget_get_next_sibling(next)
    }
  }

  private func count(_ object: UnsafeMutableRawPointer) {
    liveGObjects += 1
    g_object_weak_ref(
      object.assumingMemoryBound(to: GObject.self),
      { census, _ in
        let census = Unmanaged<Census>.fromOpaque(census!).takeRetainedValue()
        MainActor.assumeIsolated { census.liveGObjects -= 1 }
      }, Unmanaged.passRetained(self).toOpaque())
  }
}

import Foundation
import KeyValueObservingFoundation

/// A suite of its own, of which nothing is left on disk.
final class DefaultsSuite: Sendable {
  let name = "key-value-observing-\(UUID().uuidString)"
  let defaults: ObservableUserDefaults

  init() {
    defaults = ObservableUserDefaults(suiteName: name)!
  }

  deinit {
    for key in defaults.dictionaryRepresentation().keys { defaults.removeObject(forKey: key) }
    defaults.synchronize()
    // Foundation leaves an empty one on Linux.
    let folder = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
    try? FileManager.default.removeItem(at: folder.appending(path: "\(name).plist"))
  }
}

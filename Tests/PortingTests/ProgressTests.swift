import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Porting observers of progress")
struct ProgressTests {
  @Test("P2, P22: a child that makes progress notifies the observer of its parent's fraction")
  func observing() throws {
    try expectPrints("progress") {
      // guide: progress
      let album = ObservableProgress(totalUnitCount: 2)
      let track = ObservableProgress(
        totalUnitCount: 100, parent: album, pendingUnitCount: 1)
      let observation = album.observe(\.fractionCompleted, options: [.old, .new]) {
        _, change in
        print(change.oldValue ?? 0, "→", change.newValue ?? 0)
      }
      track.completedUnitCount = 50  // prints 0.0 → 0.25
      track.completedUnitCount = 75  // prints 0.25 → 0.375
      album.cancel()
      print(track.isCancelled)  // prints true
      observation.invalidate()
      // end
    }
  }
}

import GTKLifecycle
import LifecycleObserving

/// Writes the first picture of a screen to a file, and closes the screen.
@MainActor
final class Screenshot: @MainActor LifecycleObserver {
  let file: String
  private(set) var isSaved = false

  init(in file: String) {
    self.file = file
  }

  func didAppear(_ owner: any LifecycleOwner) {
    guard let screen = owner as? PagesScreen else { return }
    isSaved = screen.view.window.savePicture(to: file)
    screen.close()
  }
}

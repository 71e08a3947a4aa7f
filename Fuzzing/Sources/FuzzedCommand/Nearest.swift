@testable import KeyValueObservingCore

// In its own package the command may use this. Here it is another package.
func nearest(to word: String, among candidates: [String]) -> String? {
  KeyValueObservingCore.nearest(to: word, among: candidates)
}

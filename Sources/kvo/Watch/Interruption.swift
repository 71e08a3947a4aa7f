import Dispatch
import Foundation

/// Ctrl-C and the polite `kill`, which ask the command to end instead of ending it.
@MainActor
final class Interruption {
  private(set) var hasCome = false
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM] {
      // A dispatch source only hears of a signal; what the signal does by default has to go.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated { self?.hasCome = true }
      }
      source.resume()
      sources.append(source)
    }
  }
}

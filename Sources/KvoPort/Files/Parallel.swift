import Dispatch
import Synchronization

/// Transforms elements on all cores, and keeps their order.
func parallelMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ transform: @Sendable (Element) -> Result
) -> [Result] {
  let results = Mutex<[Result?]>(Array(repeating: nil, count: elements.count))
  DispatchQueue.concurrentPerform(iterations: elements.count) { index in
    let result = transform(elements[index])
    results.withLock { $0[index] = result }
  }
  return results.withLock { $0.compactMap(\.self) }
}

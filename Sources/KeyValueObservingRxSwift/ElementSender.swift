#if RxSwift
  internal import KeyValueObservingCore
  @preconcurrency internal import RxSwift

  /// Sends the elements of one subscription to its observer, one at a time.
  final class ElementSender<Element>: @unchecked Sendable {  // RxSwift's observers are thread-safe
    private let observer: AnyObserver<Element>
    private let serializer = EventSerializer<Event<Element>>()

    init(_ observer: AnyObserver<Element>) {
      self.observer = observer
    }

    func send(_ element: Element) { send(.next(element)) }

    func complete() { send(.completed) }

    private func send(_ event: Event<Element>) {
      serializer.send(event) { observer.on($0) }
    }
  }
#endif

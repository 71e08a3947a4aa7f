// See the file for UIKit: stand-ins set a condition of their own.
#if canImport(SwiftUI) && (canImport(ObjectiveC) || APPLE_STAND_INS)
  public import SwiftUI

  extension View {
    /// Calls the closures of an observer when the view appears and when it has disappeared.
    ///
    /// SwiftUI calls the first one before the first frame that shows the view, and the second one after
    /// the last. To observe while the view is on screen, keep an owner in the view's state, and pass
    /// `ViewLifecycleObservable(owner)`.
    ///
    /// - Parameter observer: The object to notify.
    /// - Returns: The view, which notifies the observer.
    public func addLifecycleObserver(_ observer: ViewLifecycleObservable) -> some View {
      onAppear(perform: observer.onAppear).onDisappear(perform: observer.onDisappear)
    }
  }
#endif

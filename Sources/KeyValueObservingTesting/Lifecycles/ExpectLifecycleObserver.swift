public import LifecycleObserving

internal import KeyValueObservingCore

/// Fails the running test unless an owner has exactly one lifecycle observer of a class or a
/// subclass of it.
///
///     expectLifecycleObserver(ScreenLog.self, attachedTo: screen)
///
/// The failure names the observers of the owner. It works under Swift Testing and under XCTest.
///
/// - Parameters:
///   - type: The class of the observer.
///   - owner: The owner to which the observer must have been added.
///   - fileID: The source location at which a failure is shown.
///   - filePath: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///
/// - Complexity: O(*n*) in the number of observers.
public func expectLifecycleObserver<Observer: LifecycleObserver>(
  _ type: Observer.Type, attachedTo owner: any LifecycleOwner, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  expectObserver(type, of: owner, at: place)
}

/// Fails the running test unless an owner has exactly one lifecycle observer of a class, spelled as
/// in XCTest.
///
/// - Parameters:
///   - owner: The owner to which the observer must have been added.
///   - observableType: The class of the observer.
///   - fileID: The source location at which a failure is shown.
///   - file: The source location at which a failure is shown.
///   - line: The source location at which a failure is shown.
///   - column: The source location at which a failure is shown.
///
/// - Complexity: O(*n*) in the number of observers.
public func XCTAssertObservableAttached<Observer: LifecycleObserver>(
  on owner: any LifecycleOwner, observableType: Observer.Type, fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let place = CallSite(fileID: fileID, filePath: file, line: line, column: column)
  expectObserver(observableType, of: owner, at: place)
}

private func expectObserver<Observer: LifecycleObserver>(
  _ type: Observer.Type, of owner: any LifecycleOwner, at place: CallSite
) {
  let observers = owner.lifecycle.lifecycleObservers
  let count = observers.count { $0 is Observer }
  if count == 1 { return }
  let (name, ownerName) = (spelling(of: type), spelling(of: Swift.type(of: owner)))
  let present = observers.map { spelling(of: Swift.type(of: $0)) }.joined(separator: ", ")
  let found = present.isEmpty ? "It has no observers." : "Its observers are: \(present)."
  if count == 0 {
    place.fail(
      "No \(name) is attached to \(ownerName). \(found) Call addLifecycleObserver(_:) on it.")
  } else {
    place.fail(
      "\(count) observers of the class \(name) are attached to \(ownerName), not one. \(found) Add a "
        + "single one, or check for a more special class.")
  }
}

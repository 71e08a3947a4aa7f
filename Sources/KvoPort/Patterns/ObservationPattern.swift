internal import SwiftSyntax

/// Counts observations, and warns of objects that do not notify.
enum ObservationPattern: Pattern {
  static func apply(to port: FilePort) {
    for call in port.nodes.calls {
      guard let observation = Observation(call), let name = call.calledNameToken else { continue }
      let object = port.index.observedObject(of: call, observation, in: port.file)
      if observation.kind == .publisher {
        warnOfPublisher(name, object, in: port)
      } else {
        count(name, observation, object, in: port)
      }
    }
  }

  private static func count(
    _ name: TokenSyntax, _ observation: Observation, _ object: ObservedObject, in port: FilePort
  ) {
    let pattern: PatternName =
      observation.kind == .typed ? .typedObservation : .classicObservation
    switch object {
    case .observable, .anyObject: port.leave(pattern, at: name)
    case .ownFunction: return
    case .unobservable(let type, let key):
      port.warn(pattern, at: name, Messages.unobservable(type.name, key))
    case .undefined(let type, let key):
      port.warn(.unknownKey, at: name, Messages.undefinedKey(key, type.name))
    case .framework(let type):
      port.warn(.frameworkObject, at: name, Messages.frameworkObject(type), isOwn: false)
    case .through(let type, let key):
      port.warn(.frameworkObject, at: name, Messages.throughFramework(type, key), isOwn: false)
    case .managed(let type):
      port.warn(.databaseClass, at: name, Messages.managedObject(type.name), isOwn: false)
    case .unknown:
      port.warn(.frameworkObject, at: name, Messages.unknownObject, isOwn: false)
    }
  }

  private static func warnOfPublisher(
    _ name: TokenSyntax, _ object: ObservedObject, in port: FilePort
  ) {
    switch object {
    case .observable, .anyObject, .unobservable, .undefined:
      port.warn(.publisher, at: name, Messages.publisher)
    case .ownFunction: return
    case .framework(let type), .through(let type, _):
      port.warn(.publisher, at: name, Messages.frameworkPublisher(type), isOwn: false)
    case .managed(let type):
      port.warn(.publisher, at: name, Messages.frameworkPublisher(type.name), isOwn: false)
    case .unknown: port.warn(.publisher, at: name, Messages.unknownPublisher, isOwn: false)
    }
  }
}

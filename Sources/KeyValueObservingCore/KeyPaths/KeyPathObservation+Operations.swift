extension KeyPathObservation {
  // Noncopyable, so that the closures are called without being retained (row: last key set). They capture
  // nothing, so that none needs an object (row: path of 2, register + end).
  /// Operations of code that knows the types of the observed object and of the value.
  @usableFromInline
  struct Operations: ~Copyable {
    /// Calls the observer's handler, if it receives a prior notification with true at the end.
    @usableFromInline
    typealias Call = (
      AnyHandler, KeyValueObservation.Options, AnyObject, ChangedValues, KeyValueChangeReason, Bool
    ) -> Void

    /// Reads the value at a typed key path.
    let compute: (AnyObject, AnyKeyPath) -> AnyValueBox?
    /// Keeps the value at an address.
    let box: (UnsafeRawPointer) -> AnyValueBox
    let call: Call

    @usableFromInline
    init(
      compute: @escaping (AnyObject, AnyKeyPath) -> AnyValueBox?,
      box: @escaping (UnsafeRawPointer) -> AnyValueBox, call: @escaping Call
    ) {
      self.compute = compute
      self.box = box
      self.call = call
    }

    /// The operations of a typed key path.
    @inlinable
    init<Subject: AnyObject, Value>(of _: KeyPath<Subject, Value>.Type) {
      self.init(
        compute: { subject, keyPath in
          let keyPath = unsafeDowncast(keyPath, to: KeyPath<Subject, Value>.self)
          return ValueBox(unsafeDowncast(subject, to: Subject.self)[keyPath: keyPath])
        },
        box: { ValueBox($0.assumingMemoryBound(to: Value.self).pointee) },
        call: { handler, options, subject, values, reason, isPrior in
          let old =
            options.contains(.old) ? values.old?.assumingMemoryBound(to: Value.self).pointee : nil
          let new =
            options.contains(.new) ? values.new?.assumingMemoryBound(to: Value.self).pointee : nil
          var change = KeyValueChange(
            settingTo: new, from: old, isPrior: isPrior, reason: reason, edit: values.edit)
          if values.hadNoValue { change.traits.hadNoValue = true }
          handler(unsafeDowncast(subject, to: Subject.self), change)
        })
    }

    // Not those of a typed path, which look up metadata for each change where the type of the value is not
    // known.
    /// The operations of a string path.
    static var ofString: Operations {
      Operations(
        compute: { _, _ in nil },
        box: { ValueBox($0.assumingMemoryBound(to: Any?.self).pointee) },
        call: { handler, options, subject, values, reason, isPrior in
          AnyChange.with(
            from: options.contains(.old) ? values.old : nil,
            to: options.contains(.new) ? values.new : nil, isPrior: isPrior, reason: reason,
            edit: values.edit, erasing: values.erased
          ) {
            handler(subject, $0)
          }
        })
    }
  }
}

/// The locations of the values of a change, of the type that the observer expects.
@usableFromInline
struct ChangedValues {
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  /// The mutation of a collection's elements.
  @usableFromInline
  var edit: Unmanaged<Edit>?
  /// Whether the values were made for the observer, who takes those that it asked for out of their
  /// places.
  ///
  /// Only values of string paths are.
  var areGiven = false
  /// Whether `old` is nil because the path had no value.
  @usableFromInline
  var hadNoValue = false

  func erased(_ address: UnsafeRawPointer) -> Any? {
    let place = address.assumingMemoryBound(to: Any?.self)
    return areGiven ? UnsafeMutablePointer(mutating: place).move() : place.pointee
  }
}

extension ChangedValues {
  @inline(__always)
  init(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ edit: Edit?, hadNoValue: Bool
  ) {
    self.init(
      old: old, new: new, edit: edit.map(Unmanaged.passUnretained), hadNoValue: hadNoValue)
  }
}

#if GObject
  internal import CGObject
  internal import KeyValueObservingCore

  /// A GObject as an observable object: its properties are keys.
  ///
  /// There is one source for each GObject, and both live equally long. The source keeps the GObject alive,
  /// and the GObject its source for as long as it has other references. Observations of it therefore need
  /// no owner of the source, and where the GObject is finalized, the source is deallocated: observations
  /// end, ``KeyValueObserver`` receives `sourceDeleted`, and weak references to the source become nil
  /// (P27, P33).
  ///
  /// ```swift
  /// let adjustment = GObjectSource.of(gtk_scrolled_window_get_hadjustment(window))
  /// let observation = try adjustment.observe("page-size", options: [.old, .new]) { _, change in
  ///   print(change.oldValue as? Double ?? 0, change.newValue as? Double ?? 0)
  /// }
  /// adjustment["pageSize"] = 600.0
  /// ```
  ///
  /// A key is spelled `page-size`, `page_size` or `pageSize`; all of them share their observers. Values are
  /// numbers of the type that the property has in C, `Bool`, `String?`, `[String]?`, enumerations as
  /// `Int32` and flags as `UInt32`, objects as their sources, addresses as `UnsafeMutableRawPointer?`, and
  /// ``GObjectBoxed`` for all else.
  ///
  /// A change that C makes is delivered when GLib emits `notify` for the property: on the thread of that
  /// (P8), without a prior notification, and only if the value is another one than was delivered last. A
  /// change that is made through the source is delivered once, like that of every other key, with a prior
  /// notification, whatever GLib emits for it and when.
  ///
  /// The functions of a source may be called from any thread from which those of the GObject may.
  public final class GObjectSource {
    /// The registrar of the object's observers.
    public let keyValueRegistrar = KeyValueRegistrar()
    let object: UnsafeMutablePointer<CGObject.GObject>
    let objectClass: GObjectClass
    let tether: GObjectTether
    private let lock = Lock()
    /// The keys that are observed.
    ///
    /// Guarded by `lock`.
    private var watches: [GObjectWatch] = []

    private init(
      _ object: UnsafeMutablePointer<CGObject.GObject>, _ tether: GObjectTether
    ) {
      self.object = object
      self.tether = tether
      objectClass = GObjectClass.of(kvo_object_type(object))
    }

    // Observers are notified of the end behind this, when the registrar is deallocated.
    deinit {
      for watch in watches { watch.end(of: object) }
      tether.cut(object)
    }

    /// Returns the source of a GObject, the same one each time.
    ///
    /// The source has a reference of its own to the GObject, from now until it is deallocated. A floating
    /// reference stays floating. ``taking(_:)`` takes over a reference instead.
    ///
    /// - Parameter object: The address of a GObject, to which the caller has a reference. Any other
    ///   address is undefined behavior, as it is in C.
    /// - Returns: The source of the GObject, the same one each time while it exists.
    ///
    /// - Complexity: O(1).
    public static func of(_ object: UnsafeMutableRawPointer) -> GObjectSource {
      let object = object.assumingMemoryBound(to: CGObject.GObject.self)
      if let source = GObjectTether.find(object)?.source { return source }
      let tether = GObjectTether()
      return tether.tie(GObjectSource(object, tether))
    }

    /// Returns the source of a GObject whose type is not known to Swift.
    ///
    /// - Parameter object: A pointer to a GObject.
    /// - Returns: The source of the GObject, the same one each time while it exists.
    public static func of(_ object: OpaquePointer) -> GObjectSource {
      of(UnsafeMutableRawPointer(object))
    }

    /// Returns the source of a GObject, and releases a reference to it that the caller owns: the one that
    /// a function such as `g_object_new` returns, floating or not.
    ///
    /// The GObject then lives for as long as its source is kept, or other references to the GObject are.
    ///
    /// - Parameter object: A pointer to a GObject.
    /// - Returns: The source of the GObject, the same one each time while it exists.
    public static func taking(_ object: UnsafeMutableRawPointer) -> GObjectSource {
      let source = of(object)
      if g_object_is_floating(object) != 0 { g_object_ref_sink(object) }
      g_object_unref(object)
      return source
    }

    /// Returns the source of a GObject whose type Swift does not know, and takes over a reference to it.
    ///
    /// - Parameter object: A pointer to a GObject.
    /// - Returns: The source of the GObject, the same one each time while it exists.
    public static func taking(_ object: OpaquePointer) -> GObjectSource {
      taking(UnsafeMutableRawPointer(object))
    }

    /// The address of the GObject, to be passed to functions in C.
    ///
    /// It is valid for as long as something keeps the source or the GObject; the compiler may
    /// release a local variable after its last use.
    public var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(object) }

    /// Calls a closure with the address of the GObject, and keeps the GObject until the closure returns.
    ///
    /// - Parameter body: Receives the pointer, which is valid until it returns.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws.
    public func withPointer<Result>(
      _ body: (UnsafeMutableRawPointer) throws -> Result
    ) rethrows -> Result {
      try withExtendedLifetime(self) { try body(pointer) }
    }

    /// The name of the GObject's class, such as "GtkAdjustment".
    public var typeName: String { objectClass.name }

    // MARK: Watches

    // Without `withLock`, which is not specialized here (row: GObject, register + end).

    /// The state of a property while it is observed.
    func watch(of property: GObjectProperty) -> GObjectWatch? {
      lock.lock()
      defer { lock.unlock() }
      return watches.first { $0.property === property }
    }

    func add(_ watch: GObjectWatch) {
      lock.lock()
      defer { lock.unlock() }
      watches.append(watch)
    }

    /// Notes that GLib has notified of all that has changed.
    func noteThawed() {
      lock.lock()
      let watches = watches
      lock.unlock()
      for watch in watches { watch.noteThawed() }
    }

    func removeWatch(named name: String) -> GObjectWatch? {
      lock.lock()
      defer { lock.unlock() }
      return watches.firstIndex { $0.property.name == name }.map { watches.remove(at: $0) }
    }
  }

  extension GObjectSource: CustomStringConvertible {
    /// The name of the GObject's type.
    public var description: String { typeName }
  }
#endif

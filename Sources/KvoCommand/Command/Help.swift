enum Help {
  static let version = "0.1.0"

  static let hint = "See 'kvo --help'."

  static let text = """
    Prints the changes of values in a JSON document whenever it is saved, and ports code.

    usage: kvo watch [--json] [--once] FILE KEYPATH...
           kvo tour
           kvo port [options] PATH...
           kvo --help | --version

    watch  Prints a line for each change of the value at a key path (title, author.name) whenever
           FILE is saved: the time, the key path, the reason, the old and the new value. The
           reason is 'value changed' if the last key got another value, and 'path changed' if an
           object on the way to it was added, removed, or replaced. Ctrl-C ends it.
           A key path may traverse an array (orders.name) and use a collection operator
           (orders.@count, orders.@sum.total, also @avg, @min, @max): one save is one line then.
           For an array at the end of a key path, the line lists the inserted and removed
           elements with their indexes; objects are the same as before if they are equal or
           have the same "id".
    tour   Runs an example of each use of the library, and shows its code.
    port   Rewrites Swift code that observes with Cocoa's key-value observing, so that it works with
           this library. 'kvo port --help' prints its options.

      --json      print one JSON object a line
      --once      print the values as they are, and end
      -h, --help  print this text
      --version   print the version
      --          treat the rest as FILE and KEYPATH, even if it begins with a dash

    Messages go to standard error. A document that is missing or malformed is reported, the last
    valid one stays, and watching goes on; with --once it is an error. Lines are colored on a
    terminal, unless NO_COLOR is set.

    status: 0 done, 64 wrong usage or a key path that cannot work, 65 not a JSON object,
            66 the file cannot be read, 69 'kvo-port' is missing, 74 the output cannot be written
    """
}

enum Help {
  static let version = "0.1.0"

  static let hint = "See 'kvo --help'."

  static let text = """
    Watches values of a JSON document, to show key-value observing at work.

    usage: kvo watch [--json] [--once] FILE KEYPATH...
           kvo tour
           kvo --help | --version

    watch  Prints a line for each change of the value at a key path (title, author.name) whenever
           FILE is saved: the time, the key path, the reason, the old and the new value. The
           reason is 'value changed' where the last key got another value, and 'path changed'
           where an object on the way to it came, went, or was replaced. Ctrl-C ends it.
           A key path may run through an array (orders.name) and compute something from it
           (orders.@count, orders.@sum.total, also @avg, @min, @max): one save is one line then.
           At the end of a key path, an array tells which elements came and went, and where;
           objects in it are the same as before if they are equal or have the same "id".
    tour   Runs the scenes that the library exists for, and shows the code of each.

      --json     print one JSON object a line
      --once     print the values as they are, and end
      --help     print this text
      --version  print the version
      --         take what follows as FILE and KEYPATH, whatever it looks like

    Messages go to standard error. A document that is missing or broken is reported, the last good
    one stays, and watching goes on; with --once it is an error. Lines are coloured on a terminal,
    unless NO_COLOR is set.

    status: 0 done, 64 wrong usage or a key path that cannot work, 65 not a JSON object,
            66 the file cannot be read, 74 the output cannot be written
    """
}

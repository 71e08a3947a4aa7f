enum PortHelp {
  static let text = """
    Rewrites Swift code that observes with Cocoa's key-value observing, so that it compiles and works
    with this library on Linux.

    usage: kvo port [options] PATH...
           kvo port --list
           kvo port --help

    Pass all files and folders of a program together: classes are looked up across files. The files are
    rewritten in place. Warnings name the places that a person has to change, notes those that were
    changed and may behave differently.

      --dry-run          write nothing, and print a unified diff for 'patch -p0' or 'git apply -p0'
      --check            write nothing, and print a table of what was found, with the score: the share
                         of places that work after a run, in the program's own classes and in total
      --json             print the report as one JSON object
      --output DIR       write a complete copy to a new folder, and leave the sources alone
      --for linux|all    'all' (the default): the result builds on Apple's platforms, too, and '@objc'
                         stays where something but observers may need it; 'linux': all words of
                         Objective-C go
      --observe-all      let variables that did not notify be observed; otherwise they are marked
                         '@KeyValueIgnored'
      --try throw|stop|ignore
                         what precedes key-value coding outside of functions that throw: nothing and a
                         warning, 'try!' (the default), or 'try?'
      --only PATTERN     apply this pattern only; may be repeated
      --skip PATTERN     do not apply this pattern; may be repeated
      --list             print the patterns, one on a line
      --exclude GLOB     leave out files below PATH, as in '--exclude Made/**'; may be repeated
      --allow-dirty      rewrite files with uncommitted changes, or outside of a repository
      --quiet            print no notes
      --strict           end with status 1 if something is left to be done by hand
      -h, --help         print this text
      --                 treat the rest as paths

    A comment '// kvo:port:skip' on a declaration or statement, or above it, leaves it alone. Folders
    named .build, Pods, Carthage, checkouts, DerivedData and Generated are left out.

    Warnings name the lines of the text after the run; with '--check' and '--dry-run', of the present one.
    Warnings, notes and the summary go to standard error; the diff, the table and JSON to standard output.

    status: 0 done, 1 something would be rewritten (--check, --dry-run) or is left (--strict),
            64 wrong usage, 65 a file does not parse, 66 a path cannot be read,
            73 the output folder exists, or a file has uncommitted changes,
            74 a file cannot be written; the others are
    """
}

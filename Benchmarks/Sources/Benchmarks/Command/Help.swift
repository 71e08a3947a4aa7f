let help = """
  Measures what observing costs, against baselines measured in the same run.

  USAGE: swift run -c release Benchmarks [OPTIONS]

  OPTIONS:
    --filter TEXT          run only rows whose suite or name contain TEXT
    --json                 print one JSON document instead of a table
    --report FOLDER        write the table, the data and plots into FOLDER as well
    --list                 print the names of all rows and baselines
    --instructions NAME    run the loop of the row NAME without timing it, for a profiler;
      --passes COUNT       so many times (\(CountedRun.defaultPasses))
    --help                 print this

  README.md says how to read the table. The script `instructions` counts instructions.
  """

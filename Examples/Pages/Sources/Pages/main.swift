@preconcurrency import Glibc

do {
  try Program.run(Array(CommandLine.arguments.dropFirst()))
} catch {
  fputs("Pages: \(error.sentence)\n", stderr)
  exit(error.status)
}

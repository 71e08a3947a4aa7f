/// What a figure of the table counts.
enum Unit: String, Encodable {
  case nanoseconds = "ns"
  case bytes
  case evaluations = "calls"
}

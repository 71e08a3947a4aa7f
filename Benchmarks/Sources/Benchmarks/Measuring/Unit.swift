/// The unit of a figure in the table.
enum Unit: String, Encodable {
  case nanoseconds = "ns"
  case bytes
  case evaluations = "calls"
}

import CMeasuring

/// Uses a value as far as the optimizer can see, at no cost.
@inline(__always)
func measuringSink(_ value: Int) {
  measuring_sink(value)
}

/// Why there is no figure, for people.
package struct BenchmarkError: Error, CustomStringConvertible {
  package let description: String

  /// An error.
  package init(_ description: String) {
    self.description = description
  }
}

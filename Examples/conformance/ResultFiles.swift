internal import ExampleSupport
internal import TransportConformance

/// The files that the results are written to.
struct ResultFiles {
  private let values: CommandLineValues

  /// Those that the command line names.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  /// Whether they could be written: said before the checks, which may take minutes.
  func probe() throws(ExampleError) {
    do throws(FileError) {
      for (path, what) in paths {
        try AtomicFile.probe(path, what: what, access: .everybody, replacing: true)
      }
    } catch {
      throw ExampleError(error)
    }
  }

  /// Writes them.
  func write(_ report: ConformanceReport) throws(ExampleError) {
    do throws(FileError) {
      for (path, what) in paths {
        let text = what == Self.junit ? report.junit : row(report)
        try AtomicFile.write(Array(text.utf8), to: path, what: what, access: .everybody, replacing: true)
      }
    } catch {
      throw ExampleError(error)
    }
  }

  private static let junit = "JUnit file"

  private var paths: [(path: String, what: String)] {
    [(values[ConformanceCommand.junit], Self.junit), (values[ConformanceCommand.table], "table row")]
      .compactMap { path, what in path.map { ($0, what) } }
  }

  /// The README's row, without the column that names the plugin.
  private func row(_ report: ConformanceReport) -> String {
    let can = report.capabilities.isEmpty ? "—" : report.capabilities.joined(separator: ", ")
    return "| `\(report.subject)` | \(can) | \(report.summary) |\n"
  }
}

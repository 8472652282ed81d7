internal import Foundation
internal import TestSupport
internal import Testing

/// Documentation/Deployment.md beside what it describes.
@Suite("Deployment.md", .timeLimit(.minutes(2)))
struct DeploymentTests {
  private let document: Document

  init() throws {
    document = try Document("Documentation/Deployment.md")
  }

  /// The option and its default in each row of the table: what is in backticks in the first column, and the second.
  private var table: [String: String] {
    let rows = document.prose.compactMap { place -> (String, String)? in
      let cells = place.text.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let first = cells.first, first.hasPrefix("`-") else { return nil }
      return (first.replacing("`", with: ""), cells[1])
    }
    return Dictionary(rows) { $0 + $1 }
  }

  @Test("the table has every option of the kiosk, and no other, with the defaults that the kiosk has")
  func options() async throws {
    let help = try await ChildProcess.finish("kiosk", ["--help"]).output
    // An option begins a line; what is below belongs to it.
    var known: [String: String] = [:]
    var name: String?
    for line in help.split(separator: "Options:")[1].split(separator: "Examples:")[0].split(separator: "\n") {
      if let match = line.prefixMatch(of: /\s\s(-.+?)(\s\s.*)?$/) {
        name = String(match.1)
        known[String(match.1)] = String(match.2 ?? "")
      } else if let name {
        known[name]? += " " + line.trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(known.count > 15)
    #expect(Set(table.keys) == Set(known.keys))
    for (option, text) in known {
      guard let value = text.firstMatch(of: /Default:\s+(\S+)\./)?.1 else { continue }
      #expect(table[option]?.replacing("`", with: "") == String(value), "\(option)")
    }
    for (option, text) in known where text.contains("Required.") {
      #expect(table[option]?.contains("needed") == true, "\(option)")
    }
  }

  @Test("the unit starts the kiosk as step 3 does, and systemd finds no fault in it")
  func unit() async throws {
    let unit = try #require(document.blocks.first { $0.language == "ini" }).code
    let joined = unit.joined(separator: "\n").replacing(/\\\n\s*/, with: "")
    let start = try #require(joined.firstMatch(of: /ExecStart=\/usr\/local\/bin\/(kiosk .*)/)?.1)
    let byHand = try #require(document.codeLines.first { $0.text.contains("--clear-groups kiosk ") }).text
    #expect(byHand.hasSuffix("--clear-groups \(start)"), "\(start)")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
    try await ProcessFolder.with { folder in
      // The program of this test, as there is none in the place of the unit.
      let text = joined.replacing("/usr/local/bin/kiosk", with: try BuiltProgram.path("kiosk"))
      let file = try folder.write(text, to: "checkin-kiosk.service")
      let verified = try await ChildProcess.finish("/usr/bin/systemd-analyze", ["verify", "--man=no", file])
      #expect(verified.exit == .status(0) && verified.errors.isEmpty, "\(verified.output)\(verified.errors)")
      // Ten is a service without any protection.
      let judged = try await ChildProcess.finish(
        "/usr/bin/systemd-analyze", ["security", "--offline=true", "--threshold=20", "--no-pager", file])
      #expect(judged.exit == .status(0), "\(judged.output)\(judged.errors)")
    }
  }
}

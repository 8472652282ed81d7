import Certificates
import CheckInCore
import PKCS12Container
import Testing

@Suite(.timeLimit(.minutes(2))) struct HostileTests {
  /// Iterations that stand in the file in three bytes, and are rare otherwise.
  static let marked: Int32 = 0x01_7e57

  func file() throws -> [UInt8] {
    try PKCS12Container.write(
      try Meetup().container(), password: Meetup.password, iterations: HostileTests.marked)
  }

  /// Where iteration counts stand: those of the certificates and the key, and at the end that of the MAC.
  func places(_ file: [UInt8]) -> [Int] {
    let count: [UInt8] = [0x02, 0x03, 0x01, 0x7e, 0x57]
    return file.indices.filter { file[$0...].starts(with: count) }
  }

  @Test("A count of iterations that would burn hours is refused at once, wherever it stands", arguments: 0..<3)
  func iterations(place: Int) throws {
    var file = try file()
    let places = places(file)
    try #require(places.count == 3)
    file[places[place] + 2] = 0x7f
    let started = ContinuousClock.now
    #expect(outcome(of: file, Meetup.password) == "too_much_work")
    #expect(ContinuousClock.now - started < .milliseconds(500))
  }

  @Test("Counts that are each allowed are refused when they are too much together")
  func together() throws {
    var file = try file()
    for place in places(file) { file[place + 2] = 0x10 }
    #expect(outcome(of: file, Meetup.password) == "too_much_work")
    file = try self.file()
    file[places(file)[2] + 2] = 0x10
    #expect(outcome(of: file, Meetup.password) == "wrong_password")
  }

  @Test("A count of iterations below one is refused as damage")
  func negative() throws {
    var file = try file()
    file[places(file)[2] + 2] = 0x80
    #expect(outcome(of: file, Meetup.password) == "damaged")
  }

  @Test("Lengths that lie, and values without a length nested without end, are refused")
  func shapes() {
    let open: [UInt8] = [0x30, 0x80, 0x02, 0x01, 0x03]
    #expect(outcome(of: open, nil) == "truncated")
    #expect(outcome(of: open + [0, 0], nil) == "damaged")
    #expect(outcome(of: open + [UInt8](repeating: 0x30, count: 1) + [0x80, 0, 0], nil) == "truncated")
    let deep = open + (0..<500_000).flatMap { _ in [0x30, 0x80] as [UInt8] }
    #expect(outcome(of: deep, nil) == "damaged")
    #expect(outcome(of: [0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x02, 0x01, 0x03], nil) == "truncated")
    #expect(outcome(of: [0x30, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], nil) == "not_pkcs12")
  }
}

import CheckIn
import CheckInCore
import Foundation
import Testing

@Suite struct RFC3339Tests {
  static let knownTimes: [(String, Int64)] = [
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
    ("2026-12-01T09:00:00Z", 1_796_115_600), ("2038-01-19T03:14:08Z", 2_147_483_648),
    ("1900-03-01T00:00:00Z", -2_203_891_200), ("0000-01-01T00:00:00Z", -62_167_219_200),
    ("9999-12-31T23:59:59Z", 253_402_300_799), ("2400-02-29T00:00:00Z", 13_574_563_200),
  ]

  @Test("Known times go both ways", arguments: RFC3339Tests.knownTimes)
  func known(text: String, seconds: Int64) {
    #expect(WallTime(rfc3339: text) == WallTime(secondsSince1970: seconds))
    #expect(WallTime(secondsSince1970: seconds).rfc3339 == text)
  }

  @Test(
    "Other spellings of a time are read",
    arguments: [
      ("2026-12-01t09:00:00z", 1_796_115_600), ("2026-12-01T10:00:00+01:00", 1_796_115_600),
      ("2026-11-30T23:30:00-09:30", 1_796_115_600), ("2026-12-01T09:00:00-00:00", 1_796_115_600),
      ("2026-12-01T09:00:00.999999999Z", 1_796_115_600), ("1985-04-12T23:20:50.52Z", 482_196_050),
      ("1990-12-31T23:59:60Z", 662_688_000), ("1990-12-31T15:59:60-08:00", 662_688_000),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_173),
    ])
  func spellings(text: String, seconds: Int64) {
    #expect(WallTime(rfc3339: text)?.secondsSince1970 == seconds)
  }

  @Test(
    "What is no time is refused",
    arguments: [
      "", "2026", "2026-12-01", "2026-12-01T", "2026-12-01T09:00Z", "2026-12-01T09:00:00", "2026-12-01 09:00:00Z",
      "2026-13-01T09:00:00Z", "2026-00-01T09:00:00Z", "2026-12-32T09:00:00Z", "2026-12-00T09:00:00Z",
      "2026-11-31T09:00:00Z", "2026-02-29T09:00:00Z", "1900-02-29T09:00:00Z", "2100-02-29T09:00:00Z",
      "2026-12-01T24:00:00Z", "2026-12-01T09:60:00Z", "2026-12-01T09:00:61Z", "2026-12-01T09:00:60Z",
      "1990-12-31T23:59:60+01:00", "2026-12-01T09:00:00.Z", "2026-12-01T09:00:00+1:00", "2026-12-01T09:00:00+24:00",
      "2026-12-01T09:00:00+01:60", "2026-12-01T09:00:00Z ", " 2026-12-01T09:00:00Z", "+2026-12-01T09:00:00Z",
      "-001-12-01T09:00:00Z", "12026-12-01T09:00:00Z", "2026-12-01T09:00:00٠Z", "٢026-12-01T09:00:00Z",
      "2026-1-01T09:00:00Z", "2026-12-01T9:00:00Z", "2026-12-01T09:00:00ZZ", "2026-12-01T09:00:00+0100",
    ])
  func refuses(text: String) {
    #expect(WallTime(rfc3339: text) == nil)
  }

  @Test("A date stands for its first second where something begins, and for the one after it where something ends")
  func dates() {
    #expect(WallTime(startOf: "2026-12-01")?.rfc3339 == "2026-12-01T00:00:00Z")
    #expect(WallTime(endOf: "2026-12-01")?.rfc3339 == "2026-12-02T00:00:00Z")
    #expect(WallTime(endOf: "2027-12-31")?.rfc3339 == "2028-01-01T00:00:00Z")
    #expect(WallTime(startOf: "2026-12-01T09:00:00Z") == WallTime(endOf: "2026-12-01T09:00:00Z"))
    for bad in ["2026-12-01T", "2026-12", "2026-02-30", ""] {
      #expect(WallTime(startOf: bad) == nil && WallTime(endOf: bad) == nil)
    }
  }

  @Test("Every 97th day of ten centuries agrees with the system's calendar and survives")
  func manyDays() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for day in stride(from: Int64(-130_000), to: 235_000, by: 97) {
      let time = WallTime(secondsSince1970: day * 86_400 + (day & 0x7fff))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: Double(time.secondsSince1970)))
      let text = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.year!, parts.month!, parts.day!, parts.hour!, parts.minute!,
        parts.second!)
      #expect(time.rfc3339 == text)
      #expect(WallTime(rfc3339: text) == time)
    }
  }

  @Test("Times beyond four digits of year can be written, never trap, and are not read")
  func extremes() {
    #expect(WallTime(secondsSince1970: .max).rfc3339 == "+292277026596-12-04T15:30:07Z")
    #expect(WallTime(secondsSince1970: .min).rfc3339 == "-292277022657-01-27T08:29:52Z")
    #expect(WallTime(secondsSince1970: 253_402_300_800).rfc3339 == "+10000-01-01T00:00:00Z")
    #expect(WallTime(secondsSince1970: -62_167_219_201).rfc3339 == "-0001-12-31T23:59:59Z")
    for time in [Int64.max, .min, 253_402_300_800, -62_167_219_201] {
      #expect(WallTime(rfc3339: WallTime(secondsSince1970: time).rfc3339) == nil)
    }
  }
}

internal import CheckInCore
internal import Testing

/// The bytes of hexadecimal text in a test. Spaces are for the reader.
func hex(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> [UInt8] {
  try #require(bytes(hexadecimal: text.filter { $0 != " " }), sourceLocation: location)
}

internal import CheckInCore
internal import OpenSSLCryptography
internal import Testing

@Suite("The Bluetooth advertisement")
struct BluetoothAdvertisementTests {
  private let event = ShortEventID(rawValue: 0xdead_beef)

  private func read(_ bytes: [UInt8]) throws(BluetoothAdvertisementError) -> BluetoothAdvertisement? {
    try BluetoothAdvertisement.read(bytes.span)
  }

  /// A structure with our UUID and these fields behind it.
  private func service(_ fields: [UInt8]) -> [UInt8] {
    [UInt8(17 + fields.count), 0x21] + BluetoothAdvertisement.serviceBytes + fields
  }

  @Test("is on the air as the document has it, byte for byte")
  func layout() {
    let advertisement = BluetoothAdvertisement(psm: 0x81, event: event, name: "Hall A")
    #expect(
      hexadecimal(advertisement.advertisingData)
        == "1821f6c11fd4bb731b901d41b0e559809505" + "10" + "8100" + "deadbeef")
    let secured = BluetoothAdvertisement(psm: 0x81, carriesTLS: true, event: event, name: "Hall A")
    #expect(
      hexadecimal(secured.advertisingData)
        == "1821f6c11fd4bb731b901d41b0e559809505" + "11" + "8100" + "deadbeef")
    #expect(advertisement.scanResponse == [7, 9] + Array("Hall A".utf8))
    #expect(BluetoothAdvertisement.service == "05958059-E5B0-411D-901B-73BBD41FC1F6")
    #expect(
      bytes(hexadecimal: BluetoothAdvertisement.service.filter { $0 != "-" })
        == Array(BluetoothAdvertisement.serviceBytes.reversed()))
  }

  @Test(
    "gives what was advertised, with flags in front, a scan response behind, strangers' structures between, and padding"
  )
  func roundTrip() throws {
    for (psm, carriesTLS) in BluetoothAdvertisement.psms.flatMap({ [($0, false), ($0, true)] }) {
      let sent = BluetoothAdvertisement(psm: psm, carriesTLS: carriesTLS, event: event, name: "Hall Ä")
      let all = [2, 1, 6] + sent.advertisingData + [3, 0x19, 0, 0] + [0, 0] + sent.scanResponse + [0]
      #expect(try read(all) == sent)
      let alone = try #require(try read(sent.advertisingData))
      #expect(alone.psm == psm)
      #expect(alone.carriesTLS == carriesTLS)
      #expect(alone.event == event)
      #expect(alone.name == nil)
    }
  }

  @Test("fits into 31 bytes with its flags, and so does the scan response, whatever the name")
  func sizes() throws {
    for piece in ["a", "ä", "€", "🎟", "e\u{301}", "👩‍👩‍👧"] {
      for count in 0...40 {
        let name = String(repeating: piece, count: count)
        let sent = BluetoothAdvertisement(psm: 0x80, event: event, name: name)
        #expect(sent.advertisingData.count + BluetoothAdvertisement.flagsSize <= BluetoothAdvertisement.capacity)
        #expect(sent.scanResponse.count <= BluetoothAdvertisement.capacity)
        let heard = try read(sent.advertisingData + sent.scanResponse)
        #expect(heard == sent)
        if name.utf8.count <= BluetoothAdvertisement.nameCapacity {
          #expect(heard?.name ?? "" == name)
          #expect(heard?.isNameShortened == false)
        } else {
          let kept = try #require(heard?.name)
          #expect(Array(name.unicodeScalars).starts(with: Array(kept.unicodeScalars)), "cut between two characters")
          #expect(kept.utf8.count > BluetoothAdvertisement.nameCapacity - 4)
          #expect(heard?.isNameShortened == true)
        }
      }
    }
  }

  @Test("leaves control characters of a name out")
  func controlCharacters() throws {
    let sent = BluetoothAdvertisement(psm: 0x80, event: event, name: "Ha\u{1b}[2Jll\n\u{7f}\u{85}A")
    #expect(sent.name == "Ha[2JllA")
    #expect(BluetoothAdvertisement(psm: 0x80, event: event, name: "\n\r").scanResponse == [])
  }

  @Test("refuses every other number of fields", arguments: [0...6, 8...12].joined())
  func lengths(count: Int) {
    let fields = Array([0x10, 0x81, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].prefix(count)) as [UInt8]
    #expect(throws: BluetoothAdvertisementError.length(count)) { try read(service(fields)) }
  }

  @Test("refuses every other version, and every flag but the one for TLS")
  func versions() throws {
    for first in UInt8.min...UInt8.max where first != 0x10 && first != 0x11 {
      let wanted: BluetoothAdvertisementError = first >> 4 == 1 ? .flags(first & 15) : .version(first >> 4)
      #expect(throws: wanted) { try read(service([first, 0x81, 0, 1, 2, 3, 4])) }
    }
    #expect(throws: BluetoothAdvertisementError.version(2), "a longer one of a newer version is told by its version") {
      try read(service([0x20, 0x81, 0, 1, 2, 3, 4, 5, 6]))
    }
  }

  @Test("refuses every PSM that the system does not give out")
  func psms() throws {
    var wrong: [UInt16] = []
    for psm in UInt16.min...UInt16.max {
      let bytes = service([0x10, UInt8(psm & 0xff), UInt8(psm >> 8), 1, 2, 3, 4])
      do throws(BluetoothAdvertisementError) {
        let heard = try read(bytes)?.psm
        if heard != psm || !BluetoothAdvertisement.psms.contains(psm) { wrong.append(psm) }
      } catch {
        if error != .psm(psm) || BluetoothAdvertisement.psms.contains(psm) { wrong.append(psm) }
      }
    }
    #expect(wrong == [])
  }

  @Test("refuses names that are empty, too long, not UTF-8, with control characters, or two")
  func names() {
    let data = BluetoothAdvertisement(psm: 0x80, event: event, name: "").advertisingData
    let long = [UInt8](repeating: 0x61, count: 30)
    for name in [[], long, [0xff], [0xc3], [0xed, 0xa0, 0x80], [0x1b], [0x61, 0x0a], [0xc2, 0x85]] as [[UInt8]] {
      for type in [8, 9] as [UInt8] {
        #expect(throws: BluetoothAdvertisementError.name) { try read(data + [UInt8(name.count + 1), type] + name) }
      }
    }
    #expect(throws: BluetoothAdvertisementError.repeated) { try read(data + [2, 9, 0x61, 2, 8, 0x62]) }
    #expect(throws: BluetoothAdvertisementError.repeated) { try read(data + data) }
  }

  @Test("is nobody's when it is cut anywhere, or somebody else's")
  func foreign() throws {
    let data = BluetoothAdvertisement(psm: 0x80, event: event, name: "").advertisingData
    for count in 0..<data.count { #expect(try read(Array(data.prefix(count))) == nil) }
    var other = data
    other[2] ^= 1
    #expect(try read(other) == nil)
    #expect(try read([17, 0x21] + other[2..<18]) == nil)
    #expect(try read([3, 0x21, 1, 2]) == nil)
    #expect(try read([255]) == nil)
  }

  @Test("survives any bytes, and takes nothing but its own for its own")
  func garbage() {
    var random = SplitMix64(seed: 7)
    let data = BluetoothAdvertisement(psm: 0x80, event: event, name: "Hall").advertisingData
    var taken = 0
    for _ in 0..<20_000 {
      var bytes = data + [5, 9] + Array("Hall".utf8)
      for _ in 0...Int(random.next() % 3) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      bytes.removeLast(Int(random.next() % 8))
      guard let heard = try? read(bytes) else { continue }
      taken += 1
      #expect(BluetoothAdvertisement.psms.contains(heard.psm))
      #expect((heard.name?.utf8.count ?? 1) <= BluetoothAdvertisement.nameCapacity)
    }
    #expect(taken > 100)
  }

  @Test("a short event id is the start of the SHA-256 of the event's identifier")
  func eventID() {
    // SHA-256("abc") of FIPS 180-4's example begins with ba7816bf.
    let id = ShortEventID(of: "abc", cryptography: OpenSSLCryptography())
    #expect(id.rawValue == 0xba78_16bf)
    #expect(id.text == "ba7816bf")
    #expect(id.bytes == [0xba, 0x78, 0x16, 0xbf])
  }

  @Test("a PSM of somebody else's is our own mistake")
  func wrongPSM() async {
    await #expect(processExitsWith: .failure) {
      _ = BluetoothAdvertisement(psm: 0x7f, event: ShortEventID(rawValue: 0), name: "")
    }
  }
}

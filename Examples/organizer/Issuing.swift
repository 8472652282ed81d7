internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import TokenList

/// A key with the serial of what it was made for.
struct IssuedIdentity {
  let key: OpenSSLSigningKey
  let serial: [UInt8]
}

/// A ticket that is made and not yet written.
struct IssuedTicket {
  let entry: Register.Entry
  /// The content of the ticket file. Whoever writes it wipes it.
  var text: [UInt8]
  /// The row of the list, for a listed token.
  let listed: TokenListEntry?
  let identity: IssuedIdentity
}

/// Makes tickets and kiosks' identities.
struct Issuing {
  let issuer: IssuerFile
  let issuerKey: OpenSSLSigningKey

  /// A ticket, or with `listed` a random token, for a new key.
  func ticket(
    id: String, name: String, validity: Validity, key kind: KeyKind, serial: [UInt8]? = nil, listed: Bool, file: String
  ) throws(ExampleError) -> IssuedTicket {
    do {
      let key = try OpenSSLSigningKey.generate(kind.algorithm)
      let serial = serial ?? Issuing.randomSerial()
      let entry = Register.Entry(
        id: id, name: name, kind: listed ? .token : .ticket, validity: validity, file: file, serials: [serial])
      let notes = notes(id: id, name: name, validity: validity)
      if listed {
        let token = OpenSSLCryptography().randomBytes(16)
        let holder = TokenHolder(
          attendee: id, name: name, key: key.publicKey, issuedAt: validity.issuedAt, validFrom: validity.validFrom,
          validUntil: validity.validUntil, gates: validity.gates)
        return IssuedTicket(
          entry: entry, text: try TicketFile(token: token, credential: nil, key: key).text(notes: notes),
          listed: TokenListEntry(token: token, holder: holder),
          identity: IssuedIdentity(key: key, serial: serial))
      }
      let credential = self.credential(
        .attendee, id: id, name: name, validity: validity, key: key.publicKey, serial: serial)
      let token = try credential.sign(by: issuerKey)
      return IssuedTicket(
        entry: entry, text: try TicketFile(token: token, credential: credential, key: key).text(notes: notes),
        listed: nil, identity: IssuedIdentity(key: key, serial: serial))
    } catch {
      throw Issuing.failure(error, of: name)
    }
  }

  /// A kiosk's identity for a new key, with the content of its file. The caller wipes that.
  func kiosk(
    id: String, name: String, validity: Validity, key kind: KeyKind, serial: [UInt8]? = nil
  ) throws(ExampleError) -> (text: [UInt8], identity: IssuedIdentity) {
    do {
      let key = try OpenSSLSigningKey.generate(kind.algorithm)
      let credential = self.credential(
        .kiosk, id: id, name: name, validity: validity, key: key.publicKey, serial: serial ?? Issuing.randomSerial())
      let text = try KioskFile(bytes: try credential.sign(by: issuerKey), credential: credential, key: key).text()
      return (text, IssuedIdentity(key: key, serial: credential.serial))
    } catch {
      throw Issuing.failure(error, of: name)
    }
  }

  private func credential(
    _ role: Credential.Role, id: String, name: String, validity: Validity, key: PublicKey, serial: [UInt8]
  ) -> Credential {
    Credential(
      role: role, event: issuer.event, eventName: issuer.name, subject: id, name: name, key: key,
      serial: serial, validity: validity)
  }

  /// Sixteen random bytes of which the first is not zero: a number with one form, which certificates can have.
  private static func randomSerial() -> [UInt8] {
    var bytes = OpenSSLCryptography().randomBytes(16)
    bytes[0] = bytes[0] & 0x7f | 0x40
    return bytes
  }

  private func notes(id: String, name: String, validity: Validity) -> [String] {
    [
      "The ticket of \(name) (\(id)) for “\(issuer.name)”, \(validity.words).",
      "It is \(name)’s alone: who has this file has the ticket.",
    ]
  }

  private static func failure(_ error: any Error, of name: String) -> ExampleError {
    switch error {
    case CredentialError.limitExceeded:
      ExampleError(
        .badData, "The ticket of “\(name)” would be larger than a phone may send: use fewer or shorter gates.")
    case let error as CredentialError: ExampleError(.internal, error.message)
    case let error as OpenSSLError: ExampleError(.internal, error.message)
    default: ExampleError(.internal, "The ticket of “\(name)” cannot be made.")
    }
  }
}

extension Validity {
  /// From when until when and where, in words.
  var words: String {
    let time =
      switch (validFrom, validUntil) {
      case (nil, nil): "valid at any time"
      case (let from?, nil): "valid from \(from.rfc3339)"
      case (nil, let until?): "valid until \(until.rfc3339)"
      case (let from?, let until?): "valid from \(from.rfc3339) until \(until.rfc3339)"
      }
    return gates.isEmpty ? "\(time) at every gate" : "\(time) at \(gates.joined(separator: ", "))"
  }
}

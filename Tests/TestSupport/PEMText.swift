internal import Foundation

/// The text form of some DER (RFC 7468), for programs that are not ours.
package func pem(_ label: String, _ der: [UInt8]) -> String {
  let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
  return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
}

internal import CPeers
internal import CheckInCore
internal import OpenSSLCryptography
internal import Scene

extension Workload {
  /// A check-in request as it comes from a phone: read, and judged in form. No signature is looked at.
  static let decoding = [
    Workload("decode") { count in
      let body = try Meetup().requestBody()
      try decode(body, count / 10)
      let watch = Stopwatch(.worked)
      try decode(body, count)
      return watch.nanoseconds(each: count)
    },
    Workload("decode-libcbor") { count in
      let body = try Meetup().requestBody()
      // Unsafe: C reads the body during the call.
      return try judged(unsafe libcbor_decode(body, body.count, count))
    },
    Workload("decode-walk") { count in
      let body = try Meetup().requestBody()
      // Unsafe: C reads the body during the call.
      return try judged(unsafe copy_and_walk(body, body.count, count))
    },
  ]

  private static func decode(_ body: [UInt8], _ count: Int) throws {
    for _ in 0..<count {
      guard try !UnverifiedRequest(body).request.token.isEmpty else { throw BenchmarkError("The token is gone.") }
    }
  }
}

/// The parameters that `fault+` takes out of a URL.
///
/// **Values.** A *count* is a number of bytes, such as `120`, or a range, such as `0..800`, from which each connection
/// draws its own. A *time* has a unit, `us`, `ms` or `s`, as in `5ms`; a range is `1ms..20ms`; the longest is `1h` worth of
/// seconds. A *chance* is a decimal fraction from `0` to `1`.
///
/// **Directions.** Where a parameter is for bytes, a bare value holds for each direction by itself; `send:120` and
/// `receive:40` hold for one, and `send:120,receive:40` gives each its own. Sending and receiving are those of the end
/// whose URL has the parameter.
public enum FaultParameter: String, CaseIterable, Sendable {
  /// A whole number from 0 to 2⁶⁴−1; both sides. All decisions follow from it. 0 unless given.
  case seed
  /// A whole number; both sides. Only so many connections, the first, have faults; later ones are clean. All unless given.
  case first

  /// A chance; dialling side. A dial is refused, and nothing is dialled.
  case refuse
  /// A time, or a range from which each dial draws; dialling side. So long a dial takes before anything is dialled.
  case dialDelay = "dial-delay"
  /// A chance; listening side. A call of accept fails with `resources_exhausted`, and the connection stays in the queue.
  case failAccept = "fail-accept"
  /// A chance; listening side. A connection is aborted instead of accepted, and accept goes on with the next.
  case dropAccept = "drop-accept"

  /// A time, or a range from which each send, and each piece received, draws; a direction's. So much later its bytes move.
  case delay
  /// A count of at least 1, drawn anew for each piece; a direction's. At most so many bytes are sent, or handed out, at once.
  case split
  /// A time; what is received. Bytes that arrive within it after the first are handed out together, at most 64 KiB.
  case coalesce
  /// A count; a direction's. When so many bytes have moved the direction stands still, for as long as ``stallFor`` says.
  case stallAfter = "stall-after"
  /// A time, or a range; a direction's. How long a stall lasts. For ever unless given; it needs ``stallAfter``.
  case stallFor = "stall-for"
  /// A count; a direction's. When so many bytes have moved the connection is over: here calls fail with `lost`, and the
  /// peer finds what was sent and then a good end in the middle, as when the other program is killed.
  case cutAfter = "cut-after"
  /// A count; a direction's. As ``cutAfter``, but the connection is aborted: the peer is told of a loss where it can be,
  /// and may miss bytes.
  case resetAfter = "reset-after"
  /// A chance; a direction's. For each byte: the connection is aborted before it moves.
  case drop
  /// A chance; a direction's. For each byte: one of its bits is turned over.
  case flip
  /// A count; a direction's. The byte behind so many has one bit turned over.
  case flipAt = "flip-at"
  /// A count; what is sent. The last bytes of a send are held until this end's next call of receive, its next send, its
  /// finish, or for 5 ms; closing the connection meanwhile loses them, as L2CAP may.
  case loseOnClose = "lose-on-close"
}

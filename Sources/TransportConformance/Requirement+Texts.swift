extension Requirement {
  static let transport = [
    Requirement(
      "T1",
      "scheme is in lower case and constant, and both calls refuse an endpoint of any other scheme, a "
        + "prefix of the own one included, with unsupported."),
    Requirement("T2", "An address that cannot be read is address_malformed from both calls."),
    Requirement(
      "T3",
      "connect to a place where nobody listens is refused, as often as it is tried, and leaves nothing "
        + "behind."),
    Requirement(
      "T4",
      "connect ends by its deadline with timed_out, and soon after its task is cancelled with cancelled; "
        + "both leave nothing behind. Without a deadline the transport’s own bound holds."),
    Requirement(
      "T5", "listen on an address that a listener has is address_in_use, and the other listener is unharmed."),
    Requirement("T6", "A listener on port (or name, or PSM) zero, where the transport has such, gets a free one."),
    Requirement("T7", "What capabilities declares holds for every connection and listener that the transport makes."),
    Requirement(
      "T8",
      "An endpoint that can be listened on and not dialled, such as a wildcard, is refused by connect with "
        + "address_malformed."),
    Requirement("T9", "No call blocks its thread."),
    Requirement("T10", "An address that is another machine’s is address_unavailable from listen."),
    Requirement("T11", "An address to which there is no way is unreachable from connect."),
    Requirement(
      "T12",
      "A transport that limits how many connections are open refuses one more with resources_exhausted, and "
        + "admits again when one has ended."),
  ]

  static let listener = [
    Requirement(
      "L1", "endpoint is the real one: it can be dialled, also when zero was asked for. A wildcard stays one."),
    Requirement(
      "L2", "accept returns connections in the order in which they came, each once. Many tasks may wait in it."),
    Requirement(
      "L3",
      "close ends every waiting and every later accept with closed; it may be called often and from many "
        + "tasks, and when it returns the address is free."),
    Requirement(
      "L4",
      "Connections that were accepted live on after close; those that still queue are ended, so that their "
        + "peers notice."),
    Requirement("L5", "A cancelled accept throws cancelled, and loses no connection."),
    Requirement(
      "L6",
      "One failed connection, or a lack of descriptors, does not end the listener: accept goes on when it "
        + "can."),
    Requirement("L7", "A peer that says nothing, or dies at once, delays no other."),
    Requirement(
      "L8",
      "The queue of connections that wait to be accepted is bounded. A dial that finds it full waits (T4), "
        + "and goes on when there is room."),
    Requirement(
      "L9",
      "A peer that does not finish the transport’s own handshake, where it has one, is dropped in bounded "
        + "time."),
    Requirement("L10", "A listener that is dropped without close is closed soon."),
  ]

  static let connection = [
    Requirement(
      "C1",
      "Bytes arrive as they were sent: none changed, lost, doubled or reordered, whatever the sizes of the "
        + "calls."),
    Requirement("C2", "The bytes of one send stay together, also when many tasks send at once."),
    Requirement(
      "C3",
      "send waits while the peer does not read; memory stays bounded. receive waits for at least one byte "
        + "and never adds a byte that it does not count."),
    Requirement(
      "C4",
      "A wait that is cancelled or passes its deadline throws cancelled or timed_out, and the connection "
        + "still works: a receive has taken nothing, and a send has either sent nothing or the rest of its "
        + "bytes still goes out, in order, before those of any later send."),
    Requirement(
      "C5", "Sending and receiving are independent: neither waits for the other, nor do their deadlines touch."),
    Requirement(
      "C6",
      "finish ends our direction after all that was sent; the peer’s receive then answers finished, again "
        + "and again. Where the transport has half-close, the peer can go on sending; elsewhere finish() throws "
        + "unsupported and changes nothing."),
    Requirement(
      "C7",
      "close delivers what was sent, in bounded time, and then frees every resource. It may be called often "
        + "and from many tasks, and wakes blocked calls with closed. The peer finds all that was sent and then "
        + "finished."),
    Requirement(
      "C8",
      "abort frees everything at once, delivers nothing more, and never waits. What arrives before it is a "
        + "prefix of what was sent. The peer’s calls throw lost unless it had everything already and the transport "
        + "cannot tell."),
    Requirement("C9", "A peer that dies is noticed by a waiting receive without sending, as soon as the system knows."),
    Requirement(
      "C10",
      "After close or abort every call throws closed. After the peer was lost calls throw lost, once the "
        + "bytes that had arrived are taken."),
    Requirement("C11", "remote is the peer’s address where it has one, never our own; local is ours."),
    Requirement("C12", "A connection that is dropped without close is aborted, and its resources are freed."),
    Requirement(
      "C13",
      "Connections do not touch each other: one that fails, stalls or closes delays none and ends none, and "
        + "a new one has nothing of an old one in it."),
    Requirement("C14", "A send of no bytes does nothing."),
    Requirement(
      "C15",
      "channelBinding, where the transport has it, is the same at both ends and another for each "
        + "connection."),
    Requirement(
      "C16",
      "sendAtOnce never waits, and takes all of its bytes or none, in order with those of every other send."),
  ]

  static let channel = [
    Requirement("M1", "Every body arrives whole, as one and in order, in whatever pieces its bytes come."),
    Requirement(
      "M2",
      "A body at the limit passes; one above it is too_large where it is sent and where it is received. The "
        + "limits of the two directions are independent."),
    Requirement("M3", "A body of no bytes is malformed where it is sent and where it is received."),
    Requirement(
      "M4",
      "A length above the limit is refused as soon as it has arrived, before memory is set aside for the "
        + "body, and again at each later call."),
    Requirement("M5", "A stream that ends within a message is lost; one that ends between two has finished."),
    Requirement(
      "M6",
      "A call that is cancelled or passes its deadline leaves the channel as it was: the bytes of a message "
        + "that has begun to arrive are kept, and the next call goes on with them."),
    Requirement("M7", "Bytes that do not follow the framing end their own connection, and nothing else."),
  ]
}

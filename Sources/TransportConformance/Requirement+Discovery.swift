extension Requirement {
  static let discovery = [
    Requirement(
      "V1",
      "Both calls refuse an endpoint of another scheme with unsupported, and one that cannot be read with "
        + "address_malformed."),
    Requirement(
      "V2",
      "A name of any length and any characters can be advertised; what does not fit is cut off between two "
        + "characters."),
    Requirement(
      "V3",
      "Where the system does not permit it the calls throw permission_denied; where what it takes is absent or "
        + "switched off, address_unavailable."),
    Requirement(
      "V4",
      "Both calls end in bounded time, soon after their task is cancelled too, and leave nothing behind then."),
    Requirement("V5", "No call blocks its thread."),
  ]

  static let advertiser = [
    Requirement(
      "A1",
      "From advertise on a browser near finds the listener, with an endpoint that it can dial, the name (V2), the "
        + "event, and whether it speaks TLS."),
    Requirement("A2", "It goes on, whoever connects to the listener and however often."),
    Requirement(
      "A3",
      "stop ends it; it may be called often and from many tasks. When it returns no browser hears it any more."),
    Requirement(
      "A4",
      "ended returns after stop, and throws when the advertisement ends by itself: a controller that is "
        + "unplugged, a listener that was closed; later calls say the same. Many tasks may wait in it; a cancelled "
        + "one throws cancelled and ends nothing."),
    Requirement("A5", "An advertiser that is dropped without stop is stopped soon."),
  ]

  static let browser = [
    Requirement(
      "B1",
      "next gives every kiosk near that is advertised, also one that began before, and gives it again as long as "
        + "it is heard, so that those who count can tell when it is gone."),
    Requirement(
      "B2",
      "A sighting is never older than the last one of the same kiosk, and memory stays bounded when nobody asks: "
        + "of each kiosk the newest counts, and of very many kiosks some are left out."),
    Requirement(
      "B3",
      "What is not a kiosk’s advertisement, whoever sends it, gives no sighting, no error and no end."),
    Requirement(
      "B4",
      "A wait that is cancelled or passes its deadline throws cancelled or timed_out, and the browser still "
        + "works."),
    Requirement(
      "B5",
      "stop ends the waiting and every later next with closed; it may be called often and from many tasks."),
    Requirement(
      "B6",
      "Where the browser itself fails, such as a controller that is unplugged, next says so, now and at each "
        + "later call."),
    Requirement("B7", "Browsers do not touch each other: each hears every kiosk."),
    Requirement("B8", "A browser that is dropped without stop is stopped soon."),
  ]
}

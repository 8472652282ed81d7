# SPDX-License-Identifier: Apache-2.0
"""Tests of kiosk_advertisement.py: the bytes of Documentation/Bluetooth.md."""

import unittest

import kiosk_advertisement
from kiosk_advertisement import Advertisement, NotAKiosk, read, short_event, write

DATA = bytes.fromhex("18 21 F6C11FD4BB731B901D41B0E559809505 10 8100 DEADBEEF")
EVENT = bytes.fromhex("DEADBEEF")
NAME = b"\x07\x09Hall A"


class AdvertisementTests(unittest.TestCase):
    def test_the_document_s_bytes(self):
        self.assertEqual(write(0x81, EVENT, "Hall A"), (DATA, NAME))
        self.assertEqual(read(bytes([2, 1, 6]) + DATA + NAME), Advertisement(0x81, EVENT, "Hall A"))
        self.assertEqual(read(DATA), Advertisement(0x81, EVENT))
        secured = DATA[:18] + b"\x11" + DATA[19:]
        self.assertEqual(write(0x81, EVENT, "Hall A", tls=True), (secured, NAME))
        self.assertEqual(read(secured + NAME), Advertisement(0x81, EVENT, "Hall A", tls=True))
        self.assertEqual(read(secured).fields(), secured[18:])
        # bluetoothd puts the flags behind.
        self.assertEqual(read(DATA + bytes([2, 1, 6]) + NAME), Advertisement(0x81, EVENT, "Hall A"))
        self.assertEqual(read(bytes([0]) + DATA + bytes([0, 0])), Advertisement(0x81, EVENT))
        self.assertEqual(short_event("swift-meetup").hex(), "b3590d0c")

    def test_names_are_cut_between_characters(self):
        for name, kept in (("ü" * 40, "ü" * 14), ("a" * 30, "a" * 29), ("a\x07b", "ab")):
            _, response = write(0x81, EVENT, name)
            self.assertLessEqual(len(response), 31)
            shortened = name not in ("a\x07b",)
            self.assertEqual(read(DATA + response), Advertisement(0x81, EVENT, kept, shortened))
        self.assertEqual(write(0x81, EVENT, "\x07"), (DATA, b""))

    def test_nobody_s(self):
        for data in (b"", b"\x02\x01\x06", DATA[:-1], DATA + b"\x05\x09", b"\x18\x21" + bytes(23)):
            self.assertIsNone(read(data))

    def test_refused(self):
        wrong = [DATA + DATA, DATA + NAME + NAME, DATA + b"\x01\x09", DATA + b"\x02\x09\xff", DATA + b"\x02\x09\x1b",
                 DATA + bytes([31, 9]) + b"a" * 30, DATA[:18] + b"\x20" + DATA[19:], DATA[:18] + b"\x12" + DATA[19:],
                 DATA[:19] + b"\x7f" + DATA[20:], b"\x19" + DATA[1:] + b"\x00", b"\x17" + DATA[1:-1]]
        for data in wrong:
            with self.subTest(data.hex()), self.assertRaises(NotAKiosk):
                kiosk_advertisement.read(data)


if __name__ == "__main__":
    unittest.main()

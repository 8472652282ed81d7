# SPDX-License-Identifier: Apache-2.0
"""A kiosk that is neither the library's nor BlueZ's: advertises, serves sessions over LE channels one after the other, and
tells the course in JSON lines. Exit status as kiosk.py has it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from bumble.hci import OwnAddressType
from bumble.l2cap import LeCreditBasedChannel, LeCreditBasedChannelSpec

import identity_files
import kiosk_advertisement
import tickets
from bluetooth_link import PACKET, over, radio
from channel import Ended, capture_lines
from checkin_peer import Fault, KIOSK, MOCK_BIOMETRIC, PIN
from kiosk import tell
from kiosk_session import Kiosk, serve

FLAGS = bytes([2, 0x01, 0x06])


async def run(arguments: argparse.Namespace, kiosk: Kiosk) -> int:
    name = tickets.read(kiosk.credential, kiosk.issuer).name
    channels: asyncio.Queue[LeCreditBasedChannel] = asyncio.Queue()
    async with radio(arguments.controller, "kiosk") as device:
        server = device.create_l2cap_server(
            LeCreditBasedChannelSpec(psm=arguments.psm, mtu=PACKET, mps=PACKET), channels.put_nowait)
        data, response = kiosk_advertisement.write(server.psm, kiosk_advertisement.short_event(kiosk.event), name)
        await device.start_advertising(
            advertising_data=FLAGS + data, scan_response_data=response, auto_restart=True,
            own_address_type=OwnAddressType.PUBLIC if arguments.public else OwnAddressType.RANDOM)
        tell("advertising", address=str(device.public_address if arguments.public else device.random_address),
             psm=server.psm)
        status = 0
        for _ in range(arguments.sessions):
            try:
                link = await asyncio.wait_for(channels.get(), arguments.wait)
            except TimeoutError:
                print("bluetooth_kiosk.py: nobody came", file=sys.stderr)
                return 69
            status = max(status, await session(link, kiosk, arguments.capture))
        return status


async def session(link: LeCreditBasedChannel, kiosk: Kiosk, path: str | None) -> int:
    capture: list = []
    try:
        await over(link, KIOSK, capture, lambda channel: serve(channel, kiosk, tell))
    except Fault as fault:
        tell("protocol_error", why=fault.reason, text=str(fault))
        return 76
    except Ended as end:
        tell("session_ended", why=end.how)
    finally:
        if path:
            with open(path, "w", encoding="ascii") as file:
                file.write(capture_lines(capture, kiosk.issuer, kiosk.event))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("controller", type=int, help="such as 2 for hci2, which must be off in the kernel")
    parser.add_argument("--identity", required=True, metavar="FILE")
    parser.add_argument("--issuer", required=True, metavar="FILE")
    parser.add_argument("--gate", default="North")
    parser.add_argument("--authenticators", default=f"{MOCK_BIOMETRIC},{PIN}")
    parser.add_argument("--psm", type=lambda text: int(text, 0), default=0x85, help="0x80 to 0xff (default 0x85)")
    parser.add_argument("--public", action="store_true", help="advertise the controller's own address, no random one")
    parser.add_argument("--sessions", type=int, default=1, help="end after so many (default 1)")
    parser.add_argument("--wait", type=float, default=60, help="seconds to wait for each attendee (default 60)")
    parser.add_argument("--type", action="append", default=[], metavar="DIGITS",
                        help="typed on the keypad once there is a PIN; the word PIN types the right one")
    parser.add_argument("--capture", metavar="FILE", help="write what was said in the last session for check_capture.py")
    arguments = parser.parse_args()
    try:
        key, credential = identity_files.identity(arguments.identity)
        issuer, event = identity_files.issuer(arguments.issuer)
    except identity_files.FileProblem as error:
        print(f"bluetooth_kiosk.py: {error}", file=sys.stderr)
        return 65
    kiosk = Kiosk(key, credential, issuer, event, arguments.gate, arguments.authenticators.split(","),
                  typed=arguments.type)
    return asyncio.run(run(arguments, kiosk))


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""An attendee that is neither the library's nor BlueZ's: finds the kiosk by its advertisement, opens the channel and checks
in, and tells the course in JSON lines.

Exit status as attendee.py has it; 69 also when no kiosk of the event is heard.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys

from bumble.core import UUID
from bumble.device import Advertisement, Device, Peer
from bumble.l2cap import LeCreditBasedChannelSpec

import identity_files
import kiosk_advertisement
from attendee import tell
from attendee_session import Attendee, check_in
from bluetooth_link import PACKET, over, radio
from channel import Ended, capture_lines
from checkin_peer import ATTENDEE, Fault, MOCK_BIOMETRIC, PIN


async def find(device: Device, event: bytes, seconds: float):
    """Address and advertisement of the first kiosk of the event that is heard with its name, and speaks no TLS."""
    found: asyncio.Future = asyncio.get_running_loop().create_future()
    # By address, since a controller may send several advertisements in turn: the kiosk's, and the last scan response.
    advertised: dict[str, bytes] = {}
    responses: dict[str, bytes] = {}

    def heard(report) -> None:
        part = Advertisement.from_advertising_report(report)
        if part is None:
            return
        sender = str(part.address)
        try:
            if part.is_scan_response:
                if part.data_bytes:
                    responses[sender] = part.data_bytes
            elif kiosk_advertisement.read(part.data_bytes) is not None:
                advertised[sender] = part.data_bytes
            kiosk = kiosk_advertisement.read(advertised.get(sender, b"") + responses.get(sender, b""))
        except kiosk_advertisement.NotAKiosk as why:
            tell("not_a_kiosk", address=sender, why=str(why))
            return
        if kiosk is not None and kiosk.event == event and not kiosk.tls and kiosk.name and not found.done():
            found.set_result((part.address, kiosk))

    device.host.on("advertising_report", heard)
    await device.start_scanning(active=True, filter_duplicates=False)
    try:
        return await asyncio.wait_for(found, seconds)
    finally:
        await device.stop_scanning()


async def read_service(connection) -> tuple[int, bytes] | None:
    """The PSM and the service data that the kiosk's GATT service publishes; None when there is no such service."""
    peer = Peer(connection)
    services = await peer.discover_service(UUID(kiosk_advertisement.SERVICE))
    if not services:
        return None

    async def read(uuid: str, size: int) -> bytes:
        characteristics = await peer.discover_characteristics([UUID(uuid)], services[0])
        if len(characteristics) != 1:
            raise ValueError(f"{len(characteristics)} characteristics {uuid} in place of one")
        value = bytes(await peer.read_value(characteristics[0]))
        if len(value) != size:
            raise ValueError(f"{uuid} has {len(value)} bytes in place of {size}")
        return value

    psm = int.from_bytes(await read(kiosk_advertisement.PSM_CHARACTERISTIC, 2), "little")
    return psm, await read(kiosk_advertisement.SERVICE_DATA_CHARACTERISTIC, 7)


async def run(arguments: argparse.Namespace, attendee: Attendee) -> int:
    async with radio(arguments.controller, "phone") as device:
        try:
            address, kiosk = await find(device, kiosk_advertisement.short_event(attendee.event), arguments.seconds)
        except TimeoutError:
            tell("nobody")
            return 69
        tell("found", address=str(address), name=kiosk.name, shortened=kiosk.shortened, psm=kiosk.psm,
             service_data=kiosk.fields().hex())
        connection = await asyncio.wait_for(device.connect(address, timeout=60), 70)
        psm = kiosk.psm
        if arguments.gatt:
            service = await asyncio.wait_for(read_service(connection), 60)
            if service is None:
                tell("gatt", psm=None)
                return 69
            psm = service[0]
            tell("gatt", psm=psm, service_data=service[1].hex())
        link = await asyncio.wait_for(
            connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=psm, mtu=PACKET, mps=PACKET)), 60)
        tell("connected", request=attendee.request.hex())
        capture: list = []
        try:
            result = await over(link, ATTENDEE, capture, lambda channel: check_in(channel, attendee, tell))
        except Fault as fault:
            tell("protocol_error", why=fault.reason, text=str(fault))
            return 76
        except Ended as end:
            tell("no_answer", why=end.how)
            return 2
        finally:
            if arguments.capture:
                with open(arguments.capture, "w", encoding="ascii") as file:
                    file.write(capture_lines(capture, attendee.issuer, attendee.event))
            with contextlib.suppress(Exception):
                await asyncio.wait_for(connection.disconnect(), 10)
    if result is None:
        return 2
    tell("result", success=result["success"], reason=result["name"])
    return 0 if result["success"] else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("controller", type=int, help="such as 2 for hci2, which must be off in the kernel")
    parser.add_argument("--ticket", required=True, metavar="FILE")
    parser.add_argument("--issuer", required=True, metavar="FILE")
    parser.add_argument("--gatt", action="store_true", help="take the PSM from the kiosk's GATT service")
    parser.add_argument("--authenticator", choices=[MOCK_BIOMETRIC, PIN], action="append")
    parser.add_argument("--seconds", type=float, default=60, help="how long to look (default 60)")
    parser.add_argument("--capture", metavar="FILE", help="write what was said for check_capture.py")
    arguments = parser.parse_args()
    try:
        key, token = identity_files.ticket(arguments.ticket)
        issuer, event = identity_files.issuer(arguments.issuer)
    except identity_files.FileProblem as error:
        print(f"bluetooth_attendee.py: {error}", file=sys.stderr)
        return 65
    attendee = Attendee(key, token, issuer, event, arguments.authenticator or [MOCK_BIOMETRIC, PIN])
    return asyncio.run(run(arguments, attendee))


if __name__ == "__main__":
    sys.exit(main())

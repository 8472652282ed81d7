# SPDX-License-Identifier: Apache-2.0
"""Every packet of the loopback interface, as the kernel has it, in a network of this process's own.

`enter()` moves the process into a fresh network namespace, where nobody else's traffic is, and where it is not root also into a
fresh user namespace, in which it may listen to packets. `Capture` then keeps every packet of a port, and puts the streams together.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import pathlib
import socket
import struct
import threading
import time

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
ETH_P_ALL = 3
ETHERNET, IPV4, TCP = 14, 0x0800, 6


class NotAllowed(Exception):
    """This machine does not let us; with why."""


def enter() -> None:
    """Into a network of our own, with nothing but a loopback interface, which is brought up."""
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    is_root = user == 0 and libc.unshare(CLONE_NEWNET) == 0
    if not is_root and libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        raise NotAllowed(f"no namespace of our own can be made: {os.strerror(ctypes.get_errno())}")
    try:
        if not is_root:
            pathlib.Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            pathlib.Path("/proc/self/uid_map").write_text(f"0 {user} 1", encoding="ascii")
            pathlib.Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            request = struct.pack("16sh14x", b"lo", 0)
            flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))[1]
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)).close()
    except OSError as error:
        raise NotAllowed(f"the loopback interface of our own network cannot be listened to: {error.strerror}") from error


class Capture:
    """The packets of one TCP port on loopback, from the making of this to `stop`."""

    def __init__(self, port: int):
        self.port = port
        self.packets: list[bytes] = []
        self._stopped = threading.Event()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self._socket.bind(("lo", 0))
        self._socket.settimeout(0.2)
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                packet, place = self._socket.recvfrom(1 << 18)
            except TimeoutError:
                if self._stopped.is_set():
                    return
                continue
            # On loopback each packet comes twice: going out and coming in. One of them is enough.
            if place[2] != socket.PACKET_OUTGOING and self._ports(packet):
                self.packets.append(packet)

    def stop(self) -> None:
        """What is on its way is still taken."""
        self._stopped.set()
        self._thread.join(10)
        self._socket.close()

    def dropped(self) -> int:
        """How many packets the kernel could not keep for us. To be called before `stop`."""
        return struct.unpack("II", self._socket.getsockopt(263, 6, 8))[1]  # SOL_PACKET, PACKET_STATISTICS

    def _ports(self, packet: bytes) -> tuple[int, int] | None:
        if len(packet) < ETHERNET + 40 or struct.unpack_from("!H", packet, 12)[0] != IPV4 or packet[ETHERNET + 9] != TCP:
            return None
        start = ETHERNET + (packet[ETHERNET] & 15) * 4
        ports = struct.unpack_from("!HH", packet, start)
        return ports if self.port in ports else None

    def streams(self) -> dict[tuple[int, int], bytes]:
        """What was sent by port and port, in the order of the sequence numbers."""
        pieces: dict[tuple[int, int], dict[int, bytes]] = {}
        firsts: dict[tuple[int, int], int] = {}
        for packet in self.packets:
            ports = self._ports(packet)
            length = struct.unpack_from("!H", packet, ETHERNET + 2)[0]
            start = ETHERNET + (packet[ETHERNET] & 15) * 4
            sequence = struct.unpack_from("!I", packet, start + 4)[0]
            data = packet[start + (packet[start + 12] >> 4) * 4 : ETHERNET + length]
            if packet[start + 13] & 2:
                firsts[ports] = sequence + 1
            if data:
                pieces.setdefault(ports, {})[(sequence - firsts.get(ports, sequence)) & 0xFFFFFFFF] = data
        streams = {}
        for ports, parts in pieces.items():
            stream = b""
            for place in sorted(parts):
                if place > len(stream):
                    raise ValueError(f"bytes are missing between {ports[0]} and {ports[1]}")
                stream = stream[:place] + parts[place]
            streams[ports] = stream
        return streams

    def write(self, path: pathlib.Path) -> None:
        """As a file that tcpdump and Wireshark read."""
        now = int(time.time())
        head = struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, 1)
        records = (struct.pack("=IIII", now, 0, len(packet), len(packet)) + packet for packet in self.packets)
        path.write_bytes(head + b"".join(records))

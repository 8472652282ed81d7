# SPDX-License-Identifier: Apache-2.0
"""Bluetooth LE by bumble, which is a Bluetooth host of its own and shares nothing with BlueZ: a controller, and channels
that a session uses like a socket."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import ctypes
import os
import socket
import struct
from typing import AsyncIterator, Callable, TypeVar

import bumble.l2cap
from bumble.core import InvalidStateError
from bumble.device import Device
from bumble.hci import Address
from bumble.l2cap import LeCreditBasedChannel
from bumble.transport.common import ParserSource

from channel import Channel

Result = TypeVar("Result")
# Largest packets of the channel, each in one packet of most radios.
PACKET = 247


class Controller(ParserSource):
    """One controller of the kernel's, switched off there and given to bumble whole (the user channel). It is both what
    bumble reads from and what it writes to.

    bumble has such a one, which needs a Python that was built where Bluetooth's headers are; many were not.
    """

    FAMILY, HCI, USER_CHANNEL = 31, 1, 1

    def __init__(self, index: int):
        super().__init__()
        libc = ctypes.CDLL(None, use_errno=True)
        number = libc.socket(self.FAMILY, socket.SOCK_RAW | socket.SOCK_CLOEXEC, self.HCI)
        if number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.socket = socket.socket(self.FAMILY, socket.SOCK_RAW, self.HCI, fileno=number)
        address = struct.pack("=HHH", self.FAMILY, index, self.USER_CHANNEL)
        if libc.bind(number, address, len(address)) != 0:
            error = ctypes.get_errno()
            self.socket.close()
            raise OSError(error, f"hci{index} cannot be had: {os.strerror(error)}")
        self.socket.setblocking(False)
        self.loop = asyncio.get_running_loop()
        self.loop.add_reader(number, self._read)
        self.unsent: collections.deque[bytes] = collections.deque()

    def _read(self) -> None:
        # One packet a turn of the loop. Who waits for it takes note before the next: bumble knows a channel that the peer
        # has granted only then, and throws away the credits that follow at once.
        with contextlib.suppress(BlockingIOError):
            if packet := self.socket.recv(4096):
                self.parser.feed_data(packet)

    def on_packet(self, packet: bytes) -> None:
        """bumble's next packet for the controller."""
        self.unsent.append(packet)
        self._write()

    def _write(self) -> None:
        try:
            while self.unsent:
                self.socket.send(self.unsent[0])
                self.unsent.popleft()
            self.loop.remove_writer(self.socket.fileno())
        except BlockingIOError:
            self.loop.add_writer(self.socket.fileno(), self._write)

    def close(self) -> None:
        self.loop.remove_reader(self.socket.fileno())
        self.loop.remove_writer(self.socket.fileno())
        self.socket.close()


class PatientChannel(LeCreditBasedChannel):
    """A channel that keeps what arrives before somebody has said where to. bumble's own throws it away, and a kiosk speaks
    as soon as the channel is open."""

    def __init__(self, *arguments, **more):
        self._early: list[bytes] = []
        self._sink: Callable[[bytes], object] | None = None
        super().__init__(*arguments, **more)

    @property
    def sink(self) -> Callable[[bytes], object]:
        return self._sink or self._early.append

    @sink.setter
    def sink(self, sink: Callable[[bytes], object] | None) -> None:
        self._sink = sink
        while sink and self._early:
            sink(self._early.pop(0))


# The class that bumble makes channels of.
bumble.l2cap.LeCreditBasedChannel = PatientChannel


@contextlib.asynccontextmanager
async def radio(index: int, name: str) -> AsyncIterator[Device]:
    """A device on the controller hci0, hci1, …, which must be switched off in the kernel."""
    with contextlib.closing(Controller(index)) as controller:
        device = Device.with_hci(name, Address("F0:F1:F2:F3:F4:F5"), controller, controller)
        await asyncio.wait_for(device.power_on(), 30)
        yield device


async def over(
    link: LeCreditBasedChannel, role: int, capture: list, session: Callable[[Channel], Result]
) -> Result:
    """Runs a session, which blocks, in a thread over the channel; then closes that."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes | None] = asyncio.Queue()
    link.sink = arrived.put_nowait
    link.on(link.EVENT_CLOSE, lambda: arrived.put_nowait(None))

    async def inward() -> None:
        while (data := await arrived.get()) is not None:
            await loop.sock_sendall(theirs, data)
        theirs.shutdown(socket.SHUT_WR)

    async def outward() -> None:
        while data := await loop.sock_recv(theirs, 4096):
            link.write(data)
            await link.drain()

    with ours, theirs:
        pumps = [asyncio.create_task(inward()), asyncio.create_task(outward())]
        try:
            result = await asyncio.to_thread(lambda: session(Channel(ours, role, capture)))
            ours.shutdown(socket.SHUT_WR)
            # What was said last is on its way when the pump has come to its end.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(pumps[1], 10)
            return result
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            if link.state == link.State.CONNECTED:
                # The peer may end it in the same moment, after which it is no longer connected.
                with contextlib.suppress(TimeoutError, InvalidStateError):
                    await asyncio.wait_for(link.disconnect(), 10)

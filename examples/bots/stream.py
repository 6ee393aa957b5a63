#!/usr/bin/env python3
"""Plays a few rolls at a live table over a WebSocket, using only Python's standard library.

    boxperson serve
    python3 examples/bots/stream.py http://127.0.0.1:8080 practice-pa
"""

import base64
import json
import os
import socket
import struct
import sys
import urllib.parse
import urllib.request


class Stream:
    """A WebSocket client with just enough of RFC 6455 for text messages."""

    def __init__(self, here, path, cookie):
        address = urllib.parse.urlsplit(here)
        self.socket = socket.create_connection((address.hostname, address.port or 80))
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        request = [f"GET {path} HTTP/1.1", f"Host: {address.netloc}", "Upgrade: websocket", "Connection: Upgrade",
                   f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Cookie: {cookie}", "", ""]
        self.socket.sendall("\r\n".join(request).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            sys.exit(head.decode())

    def read(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(65536)
            if not more:
                sys.exit("the stream has ended")
            self.buffer += more
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, message, kind=1):
        payload, mask = message.encode(), os.urandom(4)
        length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def next(self):
        """Returns the next message, parsed from JSON."""
        text = b""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            payload = self.read(length)
            if first & 15 == 8:
                sys.exit(f"the stream has ended: {payload[2:].decode()}")
            if first & 15 == 9:
                self.send(payload.decode(), kind=10)
            elif first & 15 < 3:
                text += payload
                if first & 128:
                    return json.loads(text)


def main():
    here, table = (sys.argv[1:] + ["http://127.0.0.1:8080", "practice-pa"])[:2]
    guest = urllib.request.urlopen(urllib.request.Request(f"{here}/guests", method="POST"))
    cookie = guest.headers["Set-Cookie"].split(";")[0]
    stream = Stream(here, f"/tables/{table}/stream", cookie)
    count = 0

    def ask(do, **body):
        """Sends a request with a new id, and prints the rows that arrive until it is answered."""
        nonlocal count
        count += 1
        stream.send(json.dumps({"do": do, "id": f"{cookie[-8:]}-{count}", **body}))
        while True:
            line = stream.next()
            if line["kind"] == "row" and line["did"] == "thrown":
                roll = line["roll"]
                print(f"{roll['roll']:>4}. {roll['dice'][0]}-{roll['dice'][1]}  {roll['call']}")
                for result in roll["results"]:
                    print(f"        seat {result['seat']} {result['bet']} {result['outcome']} {result['paid'] / 100:+.2f}")
            elif line["kind"] == "answer":
                return line
            elif line["kind"] == "error":
                print(f"        refused: {line['message']} [{line.get('cite', '')}]")
                return line

    print(stream.next()["name"])
    ask("join", name="Ann", buy_in=50_000)
    for _ in range(12):
        ask("actions", say="pass 10")
        ask("roll")
    table = json.load(urllib.request.urlopen(urllib.request.Request(f"{here}/tables/{table}", headers={"Cookie": cookie})))
    own = next(seat for seat in table["seats"] if seat["own"])
    print(f"${own['rail'] / 100:.2f} in the rail, bets on the felt: {len(own['bets'])}")


if __name__ == "__main__":
    main()

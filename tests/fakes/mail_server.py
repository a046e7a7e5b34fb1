"""A mail server that takes mails over real SMTP and keeps them; it can also refuse them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from email.policy import default


@dataclass
class MailServer:
    """What arrived; ``refusing`` makes it answer every mail with an error."""

    port: int = 0
    refusing: bool = False
    mails: list[Message] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)


@asynccontextmanager
async def a_mail_server() -> AsyncGenerator[MailServer]:
    """Listen on a free port of this machine."""
    taken = MailServer()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _talk(taken, reader, writer)

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    taken.port = server.sockets[0].getsockname()[1]
    try:
        yield taken
    finally:
        server.close()
        await server.wait_closed()


async def _talk(taken: MailServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 here\r\n")
    while line := await reader.readline():
        word = line.split(b" ")[0].strip().upper()
        if word == b"EHLO":
            writer.write(b"250 here\r\n")
        elif word == b"RCPT" and taken.refusing:
            writer.write(b"451 not now\r\n")
        elif word == b"DATA":
            writer.write(b"354 go on\r\n")
            body = await reader.readuntil(b"\r\n.\r\n")
            taken.mails.append(message_from_bytes(body[:-3], policy=default))
            writer.write(b"250 taken\r\n")
        elif word == b"QUIT":
            writer.write(b"221 bye\r\n")
            break
        else:
            if word == b"RCPT":
                taken.recipients.append(line.decode().split("<")[1].split(">")[0])
            writer.write(b"250 fine\r\n")
    writer.close()

"""Sends a file of 16-kHz samples with the public client library, twice on one connection, and prints each answer.

Arguments: the address of the port, and the file."""

import asyncio
import json
import sys

from wyoming.asr import Transcribe
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info

ADDRESS, FILE = sys.argv[1:3]
FORMAT = {"rate": 16000, "width": 2, "channels": 1}


async def talk():
    with open(FILE, "rb") as f:
        samples = f.read()
    async with AsyncClient.from_uri("tcp://" + ADDRESS) as c:
        await c.write_event(Describe().event())
        info = Info.from_event(await c.read_event())
        print(json.dumps({"type": "info", "data": {"text": info.asr[0].models[0].name}}), flush=True)
        for _ in range(2):
            await c.write_event(Transcribe(language="en", transcript_names=["Kitchen"]).event())
            await c.write_event(AudioStart(**FORMAT).event())
            for at in range(0, len(samples), 2048):
                await c.write_event(AudioChunk(audio=samples[at:at + 2048], **FORMAT).event())
            await c.write_event(AudioStop().event())
            while (e := await c.read_event()) is not None:
                print(json.dumps({"type": e.type, "data": e.data}), flush=True)
                if e.type in ("transcript-stop", "error"):
                    break


asyncio.run(talk())

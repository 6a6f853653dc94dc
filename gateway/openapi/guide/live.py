import asyncio
import json
import os
import wave

import requests
import websockets

opened = requests.post(
    "http://127.0.0.1:8080/v2/live", headers={"x-service-key": os.environ["KEY"]}, json={}
)
opened.raise_for_status()


async def speak(socket):
    with wave.open("talk.wav") as file:
        while samples := file.readframes(1600):
            await socket.send(samples)
            await asyncio.sleep(0.1)
    await socket.send(json.dumps({"type": "stop_recording"}))


async def main():
    async with websockets.connect(opened.json()["url"]) as socket:
        speaking = asyncio.create_task(speak(socket))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "transcript":
                print(message["data"]["utterance"]["text"])
        await speaking


asyncio.run(main())

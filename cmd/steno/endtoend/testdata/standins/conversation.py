"""One live session with a gateway, as the packages that are stood in for hold it."""

import asyncio
import json
import queue
import threading
import types

import requests
import websockets


class Conversation:
    """A session that is opened at once. What is sent before the socket is open waits.

    url is the address of POST /v2/live. tell(kind, value) is called on the conversation's own thread: "ready" with None,
    "message" with each message, its fields as attributes, and "ended" with the code and reason of the close.
    """

    def __init__(self, url, api_key, request, tell):
        self._url, self._key, self._request, self._tell = url, api_key, request, tell
        self._waiting = queue.Queue()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._hold()), daemon=True)
        self._thread.start()

    def send(self, message):
        """Sends bytes as audio, or a message of the protocol."""
        self._waiting.put(message if isinstance(message, bytes) else json.dumps(message))

    def wait(self):
        self._thread.join()

    async def _hold(self):
        answer = requests.post(self._url, headers={"X-Gladia-Key": self._key}, json=self._request, timeout=30)
        answer.raise_for_status()
        async with websockets.connect(answer.json()["url"]) as socket:
            self._tell("ready", None)
            sender = asyncio.ensure_future(self._send(socket))
            try:
                async for text in socket:
                    self._tell("message", json.loads(text, object_hook=lambda fields: types.SimpleNamespace(**fields)))
            except websockets.ConnectionClosedError:
                pass  # the code says it
            sender.cancel()
            self._tell("ended", types.SimpleNamespace(code=socket.close_code, reason=socket.close_reason))

    async def _send(self, socket):
        while True:
            try:
                await socket.send(self._waiting.get_nowait())
            except queue.Empty:
                await asyncio.sleep(0.01)


def transcribe(url, api_key, request, chunks):
    """Sends messages, then stop_recording, and returns the text of all finals."""
    finals, code = [], []

    def tell(kind, value):
        if kind == "message" and value.type == "transcript" and value.data.is_final:
            finals.append(value.data.utterance.text)
        if kind == "ended":
            code.append(value.code)

    conversation = Conversation(url, api_key, request, tell)
    for chunk in chunks:
        conversation.send(chunk)
    conversation.send({"type": "stop_recording"})
    conversation.wait()
    if code != [1000]:
        raise RuntimeError(f"the session ended with {code}")
    return "".join(finals).strip()

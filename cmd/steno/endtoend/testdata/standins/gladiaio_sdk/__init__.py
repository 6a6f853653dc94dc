"""Stands in for the public client library: live sessions alone."""

import threading

from conversation import Conversation


class GladiaClient:
    def __init__(self, *, api_key, api_url):
        self._key, self._url = api_key, api_url

    def live_v2(self):
        return self

    def start_session(self, request):
        return _Session(self._url + "/v2/live", self._key, request.fields())


class _Session:
    def __init__(self, url, api_key, request):
        self._heard, self._kept, self._lock = {}, [], threading.Lock()
        self._ready = threading.Event()
        self._conversation = Conversation(url, api_key, request, self._tell)

    def on(self, kind):
        """Decorates what is called with each of a kind, also with those that came before."""

        def add(heed):
            with self._lock:
                self._heard.setdefault(kind, []).append(heed)
                before = [value for k, value in self._kept if k == kind]
            for value in before:
                heed(value)
            return heed

        return add

    once = on  # there is one start and one end

    def wait_until_ready(self, timeout):
        if not self._ready.wait(timeout):
            raise TimeoutError("the session is not ready")

    def send_audio(self, audio):
        self._conversation.send(bytes(audio))

    def stop_recording(self):
        self._conversation.send({"type": "stop_recording"})

    def _tell(self, kind, value):
        if kind == "ready":
            self._ready.set()
        with self._lock:
            self._kept.append((kind, value))
            heard = list(self._heard.get(kind, []))
        for heed in heard:
            heed(value)

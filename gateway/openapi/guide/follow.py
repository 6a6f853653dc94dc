import json
import os

import requests

events = requests.get(
    f"http://127.0.0.1:8080/v2/live/{os.environ['ID']}/events",
    headers={"x-service-key": os.environ["KEY"]},
    stream=True,
)
for line in events.iter_lines():
    if line.startswith(b"data:"):
        message = json.loads(line[len("data:"):])
        if message["type"] == "transcript":
            print(message["data"]["utterance"]["text"])

import os
import time

import requests

base = "http://127.0.0.1:8080"
http = requests.Session()
http.headers["x-service-key"] = os.environ["KEY"]

with open("talk.wav", "rb") as file:
    upload = http.post(f"{base}/v2/upload", files={"audio": file}).json()
made = http.post(f"{base}/v2/pre-recorded", json={"audio_url": upload["audio_url"]}).json()
while (job := http.get(made["result_url"]).json())["status"] not in ("done", "error"):
    time.sleep(1)
print(job["result"]["transcription"]["full_transcript"] if job["status"] == "done" else job["error_code"])

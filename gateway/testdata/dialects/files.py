# Sends a recording by the client libraries of other services, each given the address of a gateway, and prints what is said in it
# as JSON, a line for each.
import json
import os
import sys

origin, key, path = sys.argv[1:4]


def told(client, text):
    print(json.dumps({"client": client, "text": text.strip()}), flush=True)


def openai():
    os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"] = origin + "/v1", key
    from openai import AuthenticationError, OpenAI

    with open(path, "rb") as file:
        told("openai", OpenAI().audio.transcriptions.create(model="whisper-1", file=file).text)
    with open(path, "rb") as file:
        events = OpenAI().audio.transcriptions.create(model="gpt-4o-transcribe", file=file, stream=True)
        told("openai, streamed", "".join(e.delta for e in events if e.type == "transcript.text.delta"))
    try:
        OpenAI(api_key="no").models.list()
        told("openai, unknown key", "taken")
    except AuthenticationError as refused:
        told("openai, unknown key", refused.code)


def deepgram():
    from deepgram import DeepgramClient
    from deepgram.environment import DeepgramClientEnvironment

    ws = origin.replace("http", "ws", 1)
    client = DeepgramClient(
        api_key=key,
        environment=DeepgramClientEnvironment(base=origin, production=ws, agent=ws, agent_rest=origin),
    )
    with open(path, "rb") as file:
        answer = client.listen.v1.media.transcribe_file(request=file.read(), model="nova-3", smart_format=True)
    told("deepgram", answer.results.channels[0].alternatives[0].transcript)


def assemblyai():
    import assemblyai as aai

    aai.settings.base_url, aai.settings.api_key, aai.settings.polling_interval = origin + "/assemblyai", key, 0.1
    transcript = aai.Transcriber().transcribe(path, config=aai.TranscriptionConfig(speaker_labels=True))
    told("assemblyai", transcript.text or transcript.error)


openai()
deepgram()
assemblyai()

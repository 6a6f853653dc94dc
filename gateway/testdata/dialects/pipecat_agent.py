"""A pipecat pipeline with one of its speech-to-text services as it is, which speech of 16 kHz is sent at its own speed. It prints
a line of JSON for each final and each error.

Arguments: the name of the service, the gateway's host and port, the key, the file."""

import asyncio
import json
import sys

from loguru import logger
from pipecat.frames.frames import (
    EndFrame, InputAudioRawFrame, TranscriptionFrame, VADUserStartedSpeakingFrame, VADUserStoppedSpeakingFrame)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.frame_processor import FrameProcessor

logger.remove()
NAME, HOST, KEY, PATH = sys.argv[1:]
RATE, STEP = 16000, 640  # bytes of 20 ms
said = asyncio.Event()


def service():
    match NAME:
        case "openai realtime":
            from pipecat.services.openai.stt import OpenAIRealtimeSTTService
            return OpenAIRealtimeSTTService(api_key=KEY, base_url=f"ws://{HOST}/v1/realtime")
        case "openai":
            from pipecat.services.openai.stt import OpenAISTTService
            return OpenAISTTService(api_key=KEY, base_url=f"http://{HOST}/v1")
        case "deepgram":
            from pipecat.services.deepgram.stt import DeepgramSTTService
            return DeepgramSTTService(api_key=KEY, base_url=f"ws://{HOST}")
        case "flux":
            from pipecat.services.deepgram.flux.stt import DeepgramFluxSTTService
            return DeepgramFluxSTTService(api_key=KEY, url=f"ws://{HOST}/v2/listen")
        case "assemblyai":
            from pipecat.services.assemblyai.stt import AssemblyAISTTService
            return AssemblyAISTTService(api_key=KEY, api_endpoint_base_url=f"ws://{HOST}/v3/ws")
    raise ValueError(NAME)


class Sink(FrameProcessor):
    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, TranscriptionFrame):
            print(json.dumps({"final": frame.text}), flush=True)
            said.set()
        await self.push_frame(frame, direction)


async def main():
    with open(PATH, "rb") as file:
        audio = file.read()
    task = PipelineTask(Pipeline([service(), Sink()]), params=PipelineParams(audio_in_sample_rate=RATE), idle_timeout_secs=None)

    @task.event_handler("on_pipeline_error")
    async def failed(_, frame):
        print(json.dumps({"error": str(frame.error)}), flush=True)

    async def send(audio):
        for at in range(0, len(audio), STEP):
            await task.queue_frame(InputAudioRawFrame(audio=audio[at : at + STEP], sample_rate=RATE, num_channels=1))
            await asyncio.sleep(STEP / RATE / 2)

    async def feed():
        await asyncio.sleep(1)
        await task.queue_frame(VADUserStartedSpeakingFrame())
        await send(audio)
        await task.queue_frame(VADUserStoppedSpeakingFrame())
        sending = asyncio.create_task(send(bytes(RATE * 2 * 10)))
        await asyncio.wait([asyncio.create_task(said.wait()), sending], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(1)
        sending.cancel()
        await task.queue_frame(EndFrame())

    feeding = asyncio.create_task(feed())
    await PipelineRunner(handle_sigint=False).run(task)
    await feeding


asyncio.run(main())

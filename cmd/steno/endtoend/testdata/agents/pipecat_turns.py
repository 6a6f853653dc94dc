"""A pipecat pipeline with its speech-to-text service as it is, fed with raw audio of 16 kHz at its own speed. It prints a line of
JSON for each final and each error, and how much was sent. Arguments: address of the gateway, API key, file."""

import asyncio
import json
import sys

from loguru import logger
from pipecat.frames.frames import EndFrame, InputAudioRawFrame, TranscriptionFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.gladia.stt import GladiaSTTService

logger.remove()
address, key, path = sys.argv[1:]
RATE, STEP = 16000, 640  # bytes of 20 ms


def tell(**what):
    print(json.dumps(what), flush=True)


class Sink(FrameProcessor):
    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, TranscriptionFrame):
            tell(final=frame.text)
        await self.push_frame(frame, direction)


async def main():
    with open(path, "rb") as file:
        audio = file.read()
    stt = GladiaSTTService(api_key=key, url=address + "/v2/live", sample_rate=RATE, settings=GladiaSTTService.Settings(endpointing=0.3))
    task = PipelineTask(Pipeline([stt, Sink()]), params=PipelineParams(audio_in_sample_rate=RATE), idle_timeout_secs=None)

    @task.event_handler("on_pipeline_error")
    async def failed(_, frame):
        tell(error=str(frame.error), fatal=frame.fatal)

    async def feed():
        await asyncio.sleep(1)
        clock = asyncio.get_running_loop().time
        began = clock()
        for at in range(0, len(audio), STEP):
            await task.queue_frame(InputAudioRawFrame(audio=audio[at : at + STEP], sample_rate=RATE, num_channels=1))
            await asyncio.sleep(max(0, began + at / RATE / 2 - clock()))
        for _ in range(400):  # silence until everything was sent again and answered
            await task.queue_frame(InputAudioRawFrame(audio=bytes(STEP), sample_rate=RATE, num_channels=1))
            await asyncio.sleep(STEP / RATE / 2)
        tell(unconfirmed=len(stt._audio_buffer))
        await task.queue_frame(EndFrame())

    feeding = asyncio.create_task(feed())
    await PipelineRunner(handle_sigint=False).run(task)
    await feeding


asyncio.run(main())

"""Runs recordings through another recognizer.

    compare.py SYSTEM [MODEL] < LIST > RESULTS

LIST has the path of a WAV file (16 kHz, mono, 16 bit) in each line. RESULTS has a line of JSON for each, {"text": "..."}, and
then {"processor": ..., "memory": ...}: the processor seconds that recognition took, loading left out, and the most memory that
the process has held, in MB. Recordings are recognized one after the other, in the system's own default way.
"""

import json
import resource
import subprocess
import sys
import tempfile
import wave
from pathlib import Path


def samples(path):
    import numpy

    with wave.open(path) as file:
        pcm = file.readframes(file.getnframes())
    return numpy.frombuffer(pcm, dtype="<i2").astype(numpy.float32) / 32768


def text_of(transcript):
    return " ".join(line.text for line in transcript.lines)


def moonshine_transcriber(_):
    """The makers' library on the weights that its package holds."""
    from moonshine_voice.moonshine_api import ModelArch
    from moonshine_voice.transcriber import Transcriber
    from moonshine_voice.utils import get_model_path

    return Transcriber(str(get_model_path("tiny-en")), ModelArch.TINY)


def moonshine_voice(model):
    """Whole recordings."""
    transcriber = moonshine_transcriber(model)
    return lambda paths: (
        text_of(transcriber.transcribe_without_streaming(samples(path).tolist())) for path in paths
    )


def moonshine_voice_streamed(model):
    """0.1 s at a time, with updates each 0.5 s of audio, the library's default."""
    transcriber = moonshine_transcriber(model)

    def stream(path):
        stream = transcriber.create_stream()
        stream.start()
        audio = samples(path).tolist()
        for i in range(0, len(audio), 1600):
            stream.add_audio(audio[i : i + 1600])
        return text_of(stream.stop())

    return lambda paths: map(stream, paths)


def sherpa_onnx(model):
    """The library on the same weights, whole recordings."""
    import sherpa_onnx

    folder = Path(model)
    recognizer = sherpa_onnx.OfflineRecognizer.from_moonshine_v2(
        encoder=str(folder / "encoder_model.ort"),
        decoder=str(folder / "decoder_model_merged.ort"),
        tokens=str(folder / "tokens.txt"),
    )

    def decode(path):
        stream = recognizer.create_stream()
        stream.accept_waveform(16000, samples(path))
        recognizer.decode_stream(stream)
        return stream.result.text

    return lambda paths: map(decode, paths)


def faster_whisper(model):
    """Whisper with CTranslate2, 8-bit weights, told that English is spoken; a beam of 5, its default."""
    from faster_whisper import WhisperModel

    whisper = WhisperModel(model, device="cpu", compute_type="int8")

    def decode(path):
        segments, _ = whisper.transcribe(samples(path), language="en")
        return " ".join(segment.text for segment in segments)

    return lambda paths: map(decode, paths)


def pocketsphinx_batch(_):
    """Debian's batch decoder with its own defaults."""
    model = "/usr/share/pocketsphinx/model/en-us/"

    def decode(paths):
        with tempfile.TemporaryDirectory() as folder:
            control, output = Path(folder, "control"), Path(folder, "output")
            control.write_text("".join(path.removesuffix(".wav") + "\n" for path in paths))
            subprocess.run(
                ["pocketsphinx_batch", "-hmm", model + "en-us", "-lm", model + "en-us.lm.bin"]
                + ["-dict", model + "cmudict-en-us.dict", "-adcin", "yes", "-adchdr", "44"]
                + ["-cepdir", "/", "-cepext", ".wav", "-ctl", str(control), "-hyp", str(output)],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            return [line[: line.rindex("(")] for line in output.read_text().splitlines()]

    return decode


SYSTEMS = [moonshine_voice, moonshine_voice_streamed, sherpa_onnx, faster_whisper, pocketsphinx_batch]


def used():
    """Processor seconds and MB of this process and of those that it has run."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in both), max(u.ru_maxrss for u in both) / 1000


def main():
    system = next(s for s in SYSTEMS if s.__name__ == sys.argv[1])
    recognize = system(sys.argv[2] if len(sys.argv) > 2 else "")
    paths = [line.rstrip("\n") for line in sys.stdin]
    before, _ = used()
    for text in recognize(paths):
        print(json.dumps({"text": text}))
    after, memory = used()
    print(json.dumps({"processor": after - before, "memory": memory}))


if __name__ == "__main__":
    main()

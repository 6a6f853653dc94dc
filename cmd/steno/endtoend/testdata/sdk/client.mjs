// Streams raw audio in real time through the public JavaScript client library, which knows nothing of this project, and
// prints what happens as lines of JSON: every event of the library as it comes, and in the end, as the event "outcome",
// what the REST routes tell about the session.
//
// The only argument is a JSON object:
//   url, key   address of the gateway and API key
//   audio      path of the raw audio
//   request    body for the library's startSession; its format must be that of the audio
//   chunk_ms   audio in one call of sendAudio
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { GladiaClient } from '@gladiaio/sdk'

const task = JSON.parse(process.argv[2])
const print = (event, fields) => process.stdout.write(JSON.stringify({ event, ...fields }) + '\n')

// What is asked in the end may meet a gateway that is just being started again; sockets have the library's defaults.
const httpRetry = { maxAttempts: 8, delay: () => 1000 }
const live = new GladiaClient({ apiUrl: task.url, apiKey: task.key, httpRetry }).liveV2()
const session = live.startSession(task.request)

let sent = false // all audio was handed to the library
let stopAcked = false
const stop = () => {
  // A stop given while the library reconnects is forgotten by it, one given on an open socket may be lost with the
  // socket. A stop that was acknowledged is not repeated: the gateway has to remember it.
  if (sent && !stopAcked && session.status === 'connected') session.stopRecording()
}
session.on('started', (response) => print('started', { response }))
session.on('connecting', ({ attempt }) => print('connecting', { attempt }))
session.on('connected', () => {
  print('connected')
  stop()
})
session.on('ending', () => print('ending'))
session.on('error', (error) => print('error', { error: String(error) }))
session.on('message', (message) => {
  if (message.type === 'stop_recording' && message.acknowledged) stopAcked = true
  print('message', { message })
})
const ended = new Promise((resolve) => session.on('ended', resolve))

stream(readFileSync(task.audio))
const { code, reason } = await ended
print('ended', { code, reason })
if (!session.sessionId) {
  print('refused') // no session was created
  process.exit(0)
}
// Timers of a lost connection may still run, so the program is ended: once the pipe has taken a long line.
process.stdout.write(JSON.stringify({ event: 'outcome', ...(await outcome(session.sessionId)) }) + '\n', () => process.exit(0))

function stream(audio) {
  const { sample_rate, channels, bit_depth } = task.request
  const chunk = Math.round((sample_rate * task.chunk_ms) / 1000) * channels * (bit_depth / 8)
  const start = performance.now()
  let offset = 0
  const tick = () => {
    const due = Math.floor((performance.now() - start) / task.chunk_ms) * chunk
    for (; offset < due && offset < audio.length; offset += chunk) {
      session.sendAudio(audio.subarray(offset, offset + chunk))
    }
    if (offset < audio.length) {
      setTimeout(tick, start + (offset / chunk + 1) * task.chunk_ms - performance.now())
      return
    }
    sent = true
    stop()
  }
  tick()
}

async function outcome(id) {
  const wav = Buffer.from(await patiently(() => live.getFile(id)))
  const pcm = data(wav)
  return {
    id,
    job: await patiently(() => live.get(id)),
    file: { riff: wav.toString('latin1', 0, 4), bytes: pcm.length, sha256: createHash('sha256').update(pcm).digest('hex') },
    list: (await patiently(() => live.list({ limit: 100 }))).items.map((job) => job.id),
  }
}

// Asks again when the library has given up: where gateways and their store fail all the time, a list of a hundred sessions meets
// one failure after another.
async function patiently(ask) {
  for (let left = 5; ; left--) {
    try {
      return await ask()
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

// The bytes of a WAV file's data chunk.
function data(wav) {
  for (let at = 12; at + 8 <= wav.length; ) {
    const size = wav.readUInt32LE(at + 4)
    if (wav.toString('latin1', at, at + 4) === 'data') return wav.subarray(at + 8, at + 8 + size)
    at += 8 + size + (size % 2)
  }
  return Buffer.alloc(0)
}

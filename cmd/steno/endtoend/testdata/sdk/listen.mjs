// Speaks to a gateway by the live client library of another service, and prints what is heard as JSON: its last argument is a file
// of 16-bit samples at 16 kHz, of which the realtime interface of OpenAI takes three for two.
import { readFileSync } from 'node:fs'
import { DeepgramClient } from '@deepgram/sdk'
import { StreamingTranscriber } from 'assemblyai'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'

const [service, origin, key, path] = process.argv.slice(2)
const audio = readFileSync(path)
const pieces = (size) => Array.from({ length: Math.ceil(audio.length / size) }, (_, i) => audio.subarray(i * size, (i + 1) * size))
const wss = origin.replace(/^http/, 'ws')
const finals = []

// at24kHz returns samples at 24 kHz, each that of the time nearest to its own.
function at24kHz(p) {
  const out = Buffer.alloc((p.length / 4) * 6)
  for (let i = 0; i < out.length / 2; i++) out.writeInt16LE(p.readInt16LE(Math.floor((i * 2) / 3) * 2), i * 2)
  return out
}

const listen = {
  async openai() {
    const client = new OpenAIRealtimeWS({ model: 'gpt-4o-transcribe' }, new OpenAI({ baseURL: origin + '/v1', apiKey: key }))
    await new Promise((created, failed) => client.on('session.created', created).on('error', failed))
    const committed = new Promise((done) => client.on('conversation.item.input_audio_transcription.completed', (e) => {
      finals.push(e.transcript)
      done()
    }))
    const input = { format: { type: 'audio/pcm', rate: 24000 }, transcription: { model: 'gpt-4o-transcribe' }, turn_detection: null }
    client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
    for (const p of pieces(6400)) client.send({ type: 'input_audio_buffer.append', audio: at24kHz(p).toString('base64') })
    client.send({ type: 'input_audio_buffer.commit' })
    await committed
    client.close()
  },
  async deepgram() {
    const client = new DeepgramClient({ apiKey: key, environment: { base: origin, production: wss, agent: wss, agentRest: origin } })
    const socket = await client.listen.v1.connect({ model: 'nova-3', encoding: 'linear16', sample_rate: 16000, punctuate: 'true' })
    const closed = new Promise((done) => socket.on('close', (e) => done(e.code)))
    socket.on('message', (m) => m.is_final && finals.push(m.channel.alternatives[0].transcript))
    socket.connect()
    await socket.waitForOpen()
    for (const p of pieces(3200)) socket.sendMedia(p)
    socket.sendCloseStream({ type: 'CloseStream' })
    if ((await closed) !== 1000) throw new Error('closed otherwise than with 1000')
  },
  async assemblyai() {
    const client = new StreamingTranscriber({ apiKey: key, websocketBaseUrl: wss + '/v3/ws', sampleRate: 16000, formatTurns: true })
    client.on('turn', (t) => t.end_of_turn && t.turn_is_formatted && finals.push(t.transcript))
    await client.connect()
    for (const p of pieces(3200)) client.sendAudio(new Uint8Array(p).buffer)
    await client.close()
  },
}
await listen[service]()
console.log(JSON.stringify(finals.filter(Boolean).join(' ')))
process.exit(0)

// Streams a file of 16-kHz samples (24 kHz for OpenAI) by a client library of another service, given the address of a gateway with
// TLS, and prints as JSON what is said in it. Arguments: origin, key, file, client.
import { readFileSync } from 'node:fs'
import { DeepgramClient } from '@deepgram/sdk'
import { StreamingTranscriber } from 'assemblyai'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'

const [origin, key, path, client] = process.argv.slice(2)
const samples = readFileSync(path)
const sockets = origin.replace('http', 'ws')
const texts = []

function* blocks(size) {
  for (let at = 0; at < samples.length; at += size) yield samples.subarray(at, at + size)
}

const clients = {
  async openai() {
    const openai = new OpenAI({ baseURL: origin + '/v1', apiKey: key })
    const realtime = new OpenAIRealtimeWS({ model: 'gpt-4o-transcribe' }, openai)
    await new Promise((made, failed) => realtime.on('session.created', made).on('error', failed))
    const completed = new Promise((done, failed) => {
      realtime.on('error', failed)
      realtime.on('conversation.item.input_audio_transcription.completed', (e) => done(texts.push(e.transcript)))
    })
    const input = { format: { type: 'audio/pcm', rate: 24000 }, transcription: { model: 'whisper-1' }, turn_detection: null }
    realtime.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
    for (const block of blocks(4800)) realtime.send({ type: 'input_audio_buffer.append', audio: block.toString('base64') })
    realtime.send({ type: 'input_audio_buffer.commit' })
    await completed
    realtime.close()
  },
  async deepgram() {
    const environment = { base: origin, production: sockets, agent: sockets, agentRest: origin }
    const deepgram = new DeepgramClient({ apiKey: key, environment })
    const socket = await deepgram.listen.v1.connect({ model: 'nova-3', encoding: 'linear16', sample_rate: 16000 })
    const closed = new Promise((done, failed) => socket.on('close', done) ?? socket.on('error', failed))
    socket.on('message', (m) => m.is_final && texts.push(m.channel.alternatives[0].transcript))
    socket.connect()
    await socket.waitForOpen()
    for (const block of blocks(3200)) socket.sendMedia(block)
    socket.sendCloseStream({ type: 'CloseStream' })
    await closed
  },
  async assemblyai() {
    const stream = new StreamingTranscriber({
      apiKey: key, websocketBaseUrl: sockets + '/v3/ws', sampleRate: 16000, formatTurns: true, maxConnectionRetries: 0,
    })
    stream.on('turn', (t) => t.end_of_turn && t.turn_is_formatted && texts.push(t.transcript))
    await stream.connect()
    for (const block of blocks(3200)) stream.sendAudio(new Uint8Array(block).buffer)
    await stream.close()
  },
}

await clients[client]()
console.log(JSON.stringify({ text: texts.filter((text) => text).join(' ') }))
process.exit(0)

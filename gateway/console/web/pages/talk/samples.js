// A session in somebody's own program: the exact body of its request in JavaScript, Python and a shell. Each is a list of pieces, texts
// and what was chosen as { text }. The key is never in it.
import { chosenIn } from './options.js'

/** The fields of a request in the notation of a language, each on a line of its own. */
function fields(request, indent, write) {
  const chosen = chosenIn(request)
  return Object.entries(request).flatMap(([name, value]) => {
    const text = write(name, value, indent)
    return [indent, chosen.includes(name) ? { text } : text, ',\n']
  })
}

/** A value in the notation of JavaScript, or of Python. Whether names are quoted tells them apart. */
function literal(value, indent, python) {
  if (Array.isArray(value)) return `[${value.map((v) => literal(v, indent, python)).join(', ')}]`
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (typeof value === 'boolean' && python) return value ? 'True' : 'False'
  if (value === null || typeof value !== 'object') return String(value)
  const deeper = indent + (python ? '    ' : '  ')
  const inside = Object.entries(value).map(([n, v]) => `${deeper}${python ? `'${n}'` : n}: ${literal(v, deeper, python)},\n`)
  return `{\n${inside.join('')}${indent}}`
}

const withoutLastComma = (pieces) => [...pieces.slice(0, -1), '\n']

function javascript(request, address) {
  return [
    `import { readFile } from 'node:fs/promises'
import { GladiaClient } from '@gladiaio/sdk'

const client = new GladiaClient({
  apiKey: process.env.KEY,
  apiUrl: '${address}',
})
const session = client.liveV2().startSession({
`,
    ...fields(request, '  ', (name, value, indent) => `${name}: ${literal(value, indent, false)}`),
    `})
session.on('message', (message) => {
  if (message.type === 'transcript')
    console.log(message.data.utterance.text)
})
session.sendAudio(await readFile('talk.wav'))
session.stopRecording()
`,
  ]
}

function python(request, address) {
  return [
    `import asyncio
import json
import os
import wave

import requests
import websockets

request = {
`,
    ...fields(request, '    ', (name, value, indent) => `'${name}': ${literal(value, indent, true)}`),
    `}
opened = requests.post(
    '${address}/v2/live',
    headers={'x-service-key': os.environ['KEY']},
    json=request,
)
opened.raise_for_status()


async def speak(socket):
    with wave.open('talk.wav') as file:
        while samples := file.readframes(1600):
            await socket.send(samples)
    await socket.send(json.dumps({'type': 'stop_recording'}))


async def main():
    async with websockets.connect(opened.json()['url']) as socket:
        speaking = asyncio.create_task(speak(socket))
        async for text in socket:
            message = json.loads(text)
            if message['type'] == 'transcript':
                print(message['data']['utterance']['text'])
        await speaking


asyncio.run(main())
`,
  ]
}

function shell(request, address) {
  return [
    `url=$(curl ${address}/v2/live \\
  -H "x-service-key: $KEY" \\
  -d '{
`,
    ...withoutLastComma(fields(request, '  ', (name, value) => `"${name}": ${JSON.stringify(value).replaceAll("'", "'\\''")}`)),
    `}' | jq -r .url)
{
  ffmpeg -loglevel error -re -i talk.wav \\
      -f s16le -ar ${request.sample_rate} -ac ${request.channels} - |
    base64 -w 6400 |
    sed -u 's/.*/{"type":"audio_chunk","data":{"chunk":"&"}}/'
  echo '{"type":"stop_recording"}'
} | websocat -n "$url" |
  jq -r 'select(.type == "transcript") .data.utterance.text'
`,
  ]
}

/** The samples by language. address is that of the gateway, without a final slash. */
export const samples = { javascript, python, curl: shell }

/** A sample as one text. */
export const textOf = (pieces) => pieces.map((p) => p.text ?? p).join('')

import { readFile } from 'node:fs/promises'
import { GladiaClient } from '@gladiaio/sdk'

const client = new GladiaClient({ apiKey: process.env.KEY, apiUrl: 'http://127.0.0.1:8080' })
const session = client.liveV2().startSession({
  messages_config: { receive_partial_transcripts: true },
})
session.on('message', (message) => {
  if (message.type === 'transcript') {
    console.log(message.data.is_final ? 'final' : 'partial', message.data.utterance.text)
  }
})
session.sendAudio(await readFile('talk.wav')) // or piece by piece, as it is recorded
session.stopRecording() // what is left comes, then the socket closes

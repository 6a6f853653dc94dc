// Has a recorded file transcribed through the Vercel AI SDK and prints what it answers as one line of JSON.
//
// The only argument is a JSON object:
//   url, key   address of the gateway and API key
//   audio      path of the recording
import { readFileSync } from 'node:fs'
import { createGladia } from '@ai-sdk/gladia'
import { transcribe } from 'ai'

const task = JSON.parse(process.argv[2])

// The provider has no setting for its address, gives its key to that address alone, and fetches no private one. So a fetch
// of one's own stands between: to the provider the gateway has the address it knows.
const theirs = 'https://api.gladia.io'
const gladia = createGladia({
  apiKey: task.key,
  fetch: async (url, init) => {
    const body = typeof init.body === 'string' ? init.body.replaceAll(theirs, task.url) : init.body
    const answer = await fetch(String(url).replace(theirs, task.url), { ...init, body })
    return new Response((await answer.text()).replaceAll(task.url, theirs), answer)
  },
})
const { text, segments, language, durationInSeconds } = await transcribe({
  model: gladia.transcription(),
  audio: readFileSync(task.audio),
  providerOptions: { gladia: { detectLanguage: true, sentences: true } },
})
process.stdout.write(JSON.stringify({ text, segments, language, seconds: durationInSeconds }) + '\n')

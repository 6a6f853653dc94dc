// Has a recorded file transcribed through the public JavaScript client library, which knows nothing of this project, and
// prints what it learns as one line of JSON.
//
// The only argument is a JSON object:
//   url, key   address of the gateway and API key
//   audio      path of the recording
//   tag        marks the jobs of this run in custom_metadata
import { createHash } from 'node:crypto'
import { GladiaClient } from '@gladiaio/sdk'

const task = JSON.parse(process.argv[2])
const client = new GladiaClient({ apiUrl: task.url, apiKey: task.key }).preRecorded()
const options = (n) => ({
  language_config: { languages: ['en'] },
  custom_metadata: { tag: task.tag, number: n },
})
const poll = { interval: 200 }

const before = new Date(Date.now() - 60_000).toISOString()
const jobs = []
for (let n = 0; n < 3; n++) jobs.push(await client.transcribe(task.audio, options(n), poll))

const upload = await client.uploadFile(task.audio)
const created = await client.create({ audio_url: upload.audio_url, ...options(3) })
const polled = await client.poll(created.id, poll)
const got = await client.get(created.id)

// Every filter at once, then page by page.
const mine = { custom_metadata: { tag: task.tag } }
const today = new Date().toISOString().slice(0, 10)
const filtered = await client.list({ ...mine, status: ['done', 'error'], after_date: before, limit: 100 })
const nothing = [
  await client.list({ ...mine, status: ['queued'] }),
  await client.list({ ...mine, date: '2001-01-01' }),
  await client.list({ ...mine, before_date: before }),
  await client.list({ custom_metadata: { tag: task.tag, number: 17 } }),
  await client.list({ ...mine, offset: 4 }),
]
const one = await client.list({ custom_metadata: { tag: task.tag, number: 2 }, date: today })
const pages = []
let page = await client.list({ ...mine, limit: 3 })
for (;;) {
  pages.push(page.items.map((job) => job.id))
  if (!page.next) break
  page = await client.list({ url: page.next })
}

const file = Buffer.from(await client.getFile(created.id))
const deleted = await client.delete(created.id)
const gone = await client.get(created.id).then(() => 200, (error) => error.status)
const again = await client.delete(created.id).then(() => 200, (error) => error.status)
const failed = await client
  .transcribe(task.url + '/file/6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001', {}, poll)
  .then(() => 200, (error) => error.status)

process.stdout.write(JSON.stringify({
  jobs, upload, created, polled, got, pages, deleted, gone, again, failed,
  filtered: filtered.items.map((job) => job.id),
  nothing: nothing.map((list) => list.items.length),
  one: one.items.map((job) => job.id),
  file: { bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') },
}) + '\n')

// The client for browsers, on a page of another origin: connections that break at any byte lose nothing, and repeat nothing.
import { check, run } from './browser.mjs'

await run(async (t) => {
  t.away = true // connections are cut
  await t.page.goto(t.task.pages)
  const outcome = await t.page.evaluate(async ({ base, key }) => {
    const { LiveSession, OpenError } = await import(`${base}/client.js`)
    const refused = await LiveSession.open({ base, headers: { 'x-service-key': key }, request: { endpointing: 99 } }).catch((e) => e)
    const audio = new Uint8Array(await (await fetch('/clip.raw')).arrayBuffer())
    const session = await LiveSession.open({ base, headers: { 'x-service-key': key }, request: { endpointing: 0.1 }, ownSocket: true })
    const finals = []
    let lost = 0
    session.addEventListener('message', ({ detail }) => {
      if (detail.type === 'transcript' && detail.data.is_final) finals.push([detail.data.id, detail.data.utterance.text])
    })
    session.addEventListener('state', ({ detail }) => (lost += detail === 'lost'))
    for (let at = 0; at < audio.length; at += 16_000) {
      session.send(audio.subarray(at, at + 16_000))
      await new Promise((r) => setTimeout(r, 20))
    }
    const { code } = await session.stop()
    const job = await (await fetch(`${base}/v2/live/${session.id}`, { headers: { 'x-service-key': key } })).json()
    const file = new Uint8Array(await (await fetch(`${base}/v2/live/${session.id}/file`, { headers: { 'x-service-key': key } })).arrayBuffer())
    const recorded = file.subarray(file.length - audio.length)
    return {
      refusal: refused instanceof OpenError && [refused.status, refused.faults],
      code, finals, lost, sent: session.sent, acked: session.acked, kept: session.kept,
      same: file.length === audio.length + 44 && recorded.every((b, i) => b === audio[i]),
      transcript: job.result.transcription.full_transcript,
    }
  }, t.task)
  const saved = await t.page.evaluate(saveWhileBusy, t.task)
  check(saved.kept > 0, 'the script had seen the acks', saved)
  check(saved.recorded === saved.sent, 'audio was lost or doubled', saved)
  check(outcome.refusal[0] === 400 && /endpointing/.test(outcome.refusal[1][0]), 'a wrong request', outcome.refusal)
  check(outcome.code === 1000, outcome)
  check(outcome.lost >= t.task.cuts, `the connection was lost ${outcome.lost} times`)
  check(outcome.same && outcome.acked === outcome.sent && outcome.kept === 0, 'audio was lost or doubled', outcome)
  check(new Set(outcome.finals.map(([id]) => id)).size === outcome.finals.length, 'finals were repeated', outcome.finals)
  check(outcome.finals.map(([, text]) => text.trim()).join(' ') === outcome.transcript, outcome)
  return outcome
})

/**
 * Leaves a session and takes it up again while acks have reached the browser, which answered pings, but not the script. The audio
 * is silence, in which every second is like the one before.
 */
async function saveWhileBusy({ base, key }) {
  const headers = { 'x-service-key': key }
  const { LiveSession } = await import(`${base}/client.js`)
  const first = await LiveSession.open({ base, headers, ownSocket: true })
  const acks = new Promise((done) => first.addEventListener('message', ({ detail }) => detail.type === 'audio_chunk' && done()))
  for (let i = 0; i < 10; i++) first.send(new Uint8Array(3200))
  await acks
  for (let i = 0; i < 30; i++) first.send(new Uint8Array(3200))
  for (const end = performance.now() + 2000; performance.now() < end; );
  const saved = first.save()
  const second = new LiveSession({ saved })
  for (let i = 0; i < 10; i++) second.send(new Uint8Array(3200))
  await second.stop()
  const job = await (await fetch(`${base}/v2/live/${second.id}`, { headers })).json()
  return { kept: saved.audio.length, sent: second.sent, recorded: job.result.metadata.audio_duration * 32000 }
}

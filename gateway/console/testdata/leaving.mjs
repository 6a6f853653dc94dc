// What becomes of a recording when its page is loaded again, its microphone goes, or somebody signs out.
import { readFileSync } from 'node:fs'
import { check, run } from './browser.mjs'

await run(async (t) => {
  const { page } = t
  await t.context.addInitScript(countMicrophones)
  await t.open()
  await t.signIn()
  await stopped(t)
  await page.reload()
  await elsewhere(t)
  await page.reload()
  await unplugged(t)
  await page.reload()
  await shortClip(t)
  await page.reload()
  await signedOut(t)
  await recorder(t)
})

/** In the page: keeps what getUserMedia gives. */
function countMicrophones() {
  const tracks = (window.tracks = [])
  const devices = navigator.mediaDevices
  const open = devices.getUserMedia.bind(devices)
  devices.getUserMedia = async (wanted) => {
    const stream = await open(wanted)
    tracks.push(...stream.getTracks())
    return stream
  }
}

/** How many microphones the page has open. */
function microphones(page) {
  return page.evaluate(() => window.tracks.filter((track) => track.readyState === 'live').length)
}

async function talk(t) {
  await t.see('h1', /Say something/)
  await t.page.click('.talk-button')
  await t.see('.utterance', /\w+ \w+/)
  check((await microphones(t.page)) === 1, 'no microphone is open')
}

/** Somebody stops while the page, loaded again, still asks for what was said before: no microphone is opened for what is over. */
async function stopped(t) {
  const { page } = t
  await talk(t)
  let release
  const held = new Promise((done) => (release = done))
  const answer = { contentType: 'text/event-stream', body: '' }
  const told = new Promise((done) =>
    page.route('**/events?from=0', (route) => held.then(() => route.fulfill(answer)).catch(() => {}).then(done)), // the page may have given up
  )
  await page.reload()
  await t.see('.talk-button', /Stop/)
  await page.click('.talk-button')
  await t.see('.talk-button', /Talk again/)
  release()
  await told
  await page.waitForTimeout(1000) // what would open one has no other sign
  check((await microphones(page)) === 0, 'the microphone is open after the end')
  await page.unroute('**/events?from=0')
}

/** The page is loaded again while it shows another part of the console: the recording goes on. */
async function elsewhere(t) {
  const { page } = t
  await talk(t)
  await page.click('nav >> text=Sessions')
  await page.reload()
  await t.until(async () => (await microphones(page)) === 1, () => 'the recording does not go on')
  await page.click('nav >> text=Talk')
  await t.see('.utterance', /\w+ \w+/)
  await page.click('.talk-button')
  await t.see('.talk-button', /Talk again/)
}

/** What is heard ends while the session is being opened: the session has it, and ends too. */
async function early(t, begin, end) {
  const { page } = t
  await t.see('h1', /Say something/)
  let release
  const held = new Promise((done) => (release = done))
  await page.route('**/v2/live', (route) => held.then(() => route.continue()))
  const asked = page.waitForRequest('**/v2/live')
  await begin()
  await asked
  await end()
  release()
  await t.see('.talk-button', /Talk again/)
  await page.unroute('**/v2/live')
}

async function unplugged(t) {
  const { page } = t
  const gone = () => page.evaluate(() => window.tracks.forEach((track) => track.dispatchEvent(new Event('ended'))))
  await early(t, () => page.click('.talk-button'), gone)
  await t.see('.stage .notice', /The microphone is gone/)
}

async function shortClip(t) {
  const { page, task } = t
  const buffer = readFileSync(task.microphone).subarray(0, 44 + 9600) // 0.3 s
  const choose = () => page.setInputFiles('input[type=file]', { name: 'clip.wav', mimeType: 'audio/wav', buffer })
  await early(t, choose, () => page.waitForTimeout(1500))
  await t.see('.clock', /^0:00\.[23]$/)
}

/**
 * Who signs out is not heard any more, and who signs in next does not read what was said. The page asks for nothing from the time that
 * the cookie is no longer taken, which nothing but a refusal would answer.
 */
async function signedOut(t) {
  const { page } = t
  await talk(t)
  await page.route('**/console/login', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'DELETE') {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))) // what is asked from time to time is asked now
      await page.waitForTimeout(500)
    }
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: /Signed in/ }).click()
  await page.getByRole('menuitem', { name: /Sign out/ }).click()
  await t.see('h1', /Which key/)
  await t.until(async () => (await microphones(page)) === 0, () => 'the microphone is open after signing out')
  await page.unroute('**/console/login')
  await t.signIn()
  await t.see('h1', /Say something/)
}

/** The browser's own recorder: what it makes is sent as it is. Each socket has a recorder of its own, which begins another container. */
async function recorder(t) {
  t.step = 'recorder'
  const { text, code, sent, seconds } = await t.page.evaluate(async ({ key }) => {
    const headers = { 'x-service-key': key }
    const { url, id } = await (await fetch('/v2/live', { method: 'POST', headers, body: '{"encoding":"webm/opus"}' })).json()
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
    const pause = (ms) => new Promise((done) => setTimeout(done, ms))
    let text = ''
    let sent = 0
    const record = async (seconds) => {
      const socket = new WebSocket(url)
      socket.onmessage = ({ data }) => {
        const { type, data: message } = JSON.parse(data)
        if (type === 'transcript') text += message.utterance.text
      }
      await new Promise((open) => (socket.onopen = open))
      const media = new MediaRecorder(microphone, { mimeType: 'audio/webm;codecs=opus' })
      media.ondataavailable = ({ data }) => socket.send(data)
      media.start(250)
      await pause(seconds * 1000)
      const last = new Promise((stopped) => (media.onstop = stopped))
      media.stop()
      await last
      sent += seconds
      return socket
    }
    const broken = await record(3)
    await pause(500) // what was sent last is on its way
    broken.close(4000)
    const socket = await record(3)
    socket.send('{"type":"stop_recording"}')
    const { code } = await new Promise((close) => (socket.onclose = close))
    for (const track of microphone.getTracks()) track.stop()
    const job = await (await fetch(`/v2/live/${id}`, { headers })).json()
    return { text, code, sent, seconds: job.result.metadata.audio_duration }
  }, t.task)
  check(code === 1000, `closed with ${code}`)
  check(/\w+ \w+/.test(text), `the text is ${text}`)
  check(seconds > sent / 2 + 1 && seconds < 2 * sent, `${seconds} s are recorded of about ${sent}`)
}

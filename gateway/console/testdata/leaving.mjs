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

/** Who signs out is not heard any more, and who signs in next does not read what was said. */
async function signedOut(t) {
  const { page } = t
  await talk(t)
  await page.getByRole('button', { name: /Signed in/ }).click()
  await page.getByRole('menuitem', { name: /Sign out/ }).click()
  await t.see('h1', /Which key/)
  await t.until(async () => (await microphones(page)) === 0, () => 'the microphone is open after signing out')
  await t.signIn()
  await t.see('h1', /Say something/)
}

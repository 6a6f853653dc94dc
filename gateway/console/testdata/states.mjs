// What Talk says when it may not listen, when there is no room, when somebody is signed out; and a recording instead of a microphone.
import { check, run } from './browser.mjs'

await run(async (t) => {
  const { page } = t
  await t.open()
  await t.signIn()
  await t.see('h1', /Say something/)
  await sample(t)
  await page.click('.talk-button')
  await t.see('.stage .notice', /does not let this page listen/)
  await t.inspect('talk-microphone-blocked', ['wide', 'narrow'])

  const other = await page.evaluate(async () => (await fetch('v2/live', { method: 'POST', body: '{}' })).json())
  await page.setInputFiles('input[type=file]', t.task.recording)
  t.away = true // the browser itself notes the refusal
  await t.see('.stage .notice', /This key has 1 session open, and may have 1.*Sessions/s)
  t.away = false
  await t.inspect('talk-refused', ['wide', 'narrow', 'tiny'])
  await page.evaluate(async (url) => {
    const socket = new WebSocket(url)
    await new Promise((open) => (socket.onopen = open))
    socket.send('{"type":"stop_recording"}')
    await new Promise((closed) => (socket.onclose = closed))
  }, other.url)

  await page.setInputFiles('input[type=file]', { name: 'notes.txt', mimeType: 'audio/wav', buffer: Buffer.from('no audio at all') })
  await t.see('.stage .notice', /cannot play this file/)
  await page.getByRole('button', { name: /^Language/ }).click() // a long list
  await page.keyboard.type('fren')
  await t.see('[role=option]', /French/)
  await t.inspect('talk-select-long', ['wide'])
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Summary' }).click()
  await page.getByRole('switch', { name: 'Vocabulary' }).click()
  await page.fill('textarea', 'Kestrel Sound, Alder Point')
  await page.setInputFiles('input[type=file]', t.task.recording)
  await t.see('.talk-button', /Stop/)
  await t.see('.input-box', /clip\.wav/)
  await t.see('.utterance', /\w+ \w+/)

  await t.context.clearCookies()
  t.away = true
  await t.see('.notice', /You were signed out.*recording that runs goes on/s)
  t.away = false
  await page.getByRole('button', { name: 'Sign in' }).click()
  await t.inspect('signed-out', ['wide', 'narrow'])
  await t.signIn()
  await page.waitForSelector('.dialog', { state: 'detached' })
  await t.until(async () => (await page.locator('.notice', { hasText: 'signed out' }).count()) === 0, () => 'still signed out')

  await page.waitForSelector('.after') // the recording has been played
  await t.see('.afterword', /Summary/)
  await t.inspect('talk-recording-played', ['wide', 'narrow'])
  const id = (await page.getAttribute('.after a', 'href')).split('/').pop()
  const job = await page.evaluate(async (id) => (await fetch(`v2/live/${id}`)).json(), id)
  check(job.request_params.realtime_processing.custom_vocabulary_config.vocabulary.length === 2, job.request_params)
  check(Math.abs(job.result.metadata.audio_duration - t.task.seconds) < 0.2, `${job.result.metadata.audio_duration} s of ${t.task.seconds} arrived`)

  await page.getByRole('button', { name: 'Discard' }).click()
  await t.inspect('talk-discard', ['wide', 'narrow'])
  await page.getByRole('button', { name: 'Delete the record' }).click()
  await t.see('h1', /Say something/)
  const gone = await page.evaluate(async (id) => (await (await fetch('v2/live')).json()).items.every((i) => i.id !== id), id)
  check(gone, 'the record is still there')

  await page.keyboard.press('?')
  await t.inspect('keys', ['wide', 'narrow'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.waitForURL(/#\/records/)
  await engines(t)
  await t.open('nowhere')
  await t.see('h1', /no such page/)
})

/** Where the machine has a recording to try with, one press plays it. */
async function sample(t) {
  const { page } = t
  await t.see('.state', /Engines ready/)
  const button = page.getByRole('button', { name: 'Play the sample' })
  await t.until(async () => (await button.count()) === Number(t.task.sample), () => `there are not ${Number(t.task.sample)} buttons for the sample`)
  if (!t.task.sample) return
  await button.click()
  await t.see('.input-box', /The sample/)
  await t.see('.utterance', /\w+ \w+/)
  await page.evaluate(() => { // it may be over meanwhile, and then the button begins another
    const button = document.querySelector('.talk-button')
    if (/Stop/.test(button.innerText)) button.click()
  })
  await page.click('.after >> text=Discard')
  await page.click('text=Delete the record')
  await t.see('h1', /Say something/)
}

/** What is said of engines that are away: of the gateway's answer, only whether they are is changed. */
async function engines(t) {
  const { page } = t
  const away = (change) =>
    page.route('**/v2/models', async (route) => {
      const answer = await (await route.fetch()).json()
      change(answer.models.find((m) => m.default).engines)
      await route.fulfill({ json: answer })
    })
  await away((all) => all.unshift({ ...all[0], name: 'sherpa', available: false }))
  await t.open('talk')
  await page.reload()
  await t.see('.stage .notice', /Engine sherpa is away\. The scripted engine stands in, so expect more wrong words/)
  await t.see('.state', /sherpa is away/)
  await t.show('talk-stand-in')
  await page.unroute('**/v2/models')
  await away((all) => (all[0].available = false))
  await page.reload()
  await t.see('.stage .notice', /No engine at the moment/)
  await t.show('talk-no-engine')
  await page.unroute('**/v2/models')
}

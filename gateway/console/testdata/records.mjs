// Somebody looks for records, opens one, plays it, presses words, finds, downloads and deletes; follows a session that another
// client speaks into, and shares it; opens a report of the load generator; and scrolls through a record of three hours.
import { readFileSync } from 'node:fs'
import { check, run, sizes } from './browser.mjs'

const all = ['wide', 'narrow', 'tiny']

await run(async (t) => {
  const { page, task } = t
  const { ids } = task
  await t.open('records')
  await t.signIn()
  await searching(t)
  await reading(t, ids.briefing)
  await t.open(`records/${ids.silent}`)
  await t.see('.record-text', /No words\. Speech was looked for/)
  await t.open(`records/${ids.failed}`)
  await t.see('.notice', /This session ended early.*no engine was there for 30 s/s)
  t.away = true // the browser notes that there is none
  await t.open('records/6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001')
  await t.see('h1', /There is no such record/)
  t.away = false
  await following(t)
  await load(t)
  await deleting(t, ids.silent)
  return await long(t, ids.long)
})

async function searching(t) {
  const { page } = t
  await page.waitForSelector('.record-row')
  await t.until(async () => (await page.locator('.record-row').count()) === 4, () => 'there are not four records')
  await t.see('.record-row', /Morning round, tram depot.*given up/s)
  await page.waitForFunction(() => {
    const canvas = document.querySelector('canvas.small-waveform')
    return canvas && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v > 0)
  })
  await t.inspect('records', all)
  await page.keyboard.press('/')
  await page.keyboard.type('LINDEN')
  await t.see('.tally', /1 place in 1 record/)
  await t.see('.record-row .said', /0:08.*Linden/s)
  await t.inspect('records-search', ['wide', 'narrow'])
  await page.fill('.finder input', 'qqxzy')
  await t.see('.empty', /No record has “qqxzy” in it/)
  await page.click('.chip >> text=Live and files')
  await page.click('[role="menuitemradio"] >> text=Files')
  await t.see('.empty', /One filter is on: files/)
  await t.inspect('records-nothing', ['wide'])
  await page.click('text=Remove the filters')
  await page.fill('.finder input', 'linden')
  await t.see('.tally', /1 place in 1 record/)
  await page.click('.record-row')
  await t.see('.find-in-record', /1\s+of\s+1/)
  await page.waitForSelector('mark.hit')
}

async function reading(t, id) {
  const { page } = t
  await t.open(`records/${id}`)
  await t.see('h1', /Morning round, tram depot/)
  const word = page.locator('.word', { hasText: 'office' }).first()
  const start = Number(await word.getAttribute('data-start'))
  await word.click()
  await t.until(async () => Math.abs((await position(page)) - start) < 0.2, () => `pressing a word does not seek to ${start}`)
  await t.see('.word.now', /^office$/)
  await page.keyboard.press('Space')
  await t.see('.play[aria-label="Pause"]', /^/)
  await page.waitForFunction((from) => Number(document.querySelector('.waveform').getAttribute('aria-valuenow')) > from + 1, start)
  await page.keyboard.press('Space')
  await page.waitForSelector('.play[aria-label="Play"]')
  await page.keyboard.press('Shift+ArrowRight')
  await t.inspect('record', all)
  await page.click('.rail [role="tab"] >> text=Entities')
  await t.see('.rail', /PHONE_NUMBER.*five five five/s)
  await page.click('.rail [role="tab"] >> text=Details')
  await t.see('.rail', new RegExp(id))
  await page.click('.rail [role="tab"] >> text=Callbacks')
  await t.see('.rail .tally', /given up/)
  await t.show('record-callbacks')
  check(!(await page.innerText('.rail')).includes('hidden'), 'the secret of an address is shown')
  await page.click('.record-tools [role="tab"]:visible >> text=French')
  await t.see('.pairs', /Bonjour, et merci/)
  await t.see('.pairs', /Not translated/)
  await t.inspect('record-translation', ['wide', 'narrow'])
  await page.click('.record-tools [role="tab"]:visible >> text=Subtitles')
  await t.see('.cues', /Is that because of the works/)
  await page.click('.cue >> nth=2')
  await t.see('.frame', /Is that because of the works/)
  await t.inspect('record-subtitles', ['wide', 'narrow'])
  await downloads(t, id)
}

/** The seconds that the player shows. */
function position(page) {
  return page.$eval('.position', (e) => e.innerText.replace(/\s/g, '').split('/')[0].split(':').reduce((sum, part) => sum * 60 + Number(part), 0))
}

async function downloads(t, id) {
  const { page } = t
  for (const [item, name, content] of [
    ['Text, by speakers', 'txt', /Speaker 2, 0:08\nIs that because/],
    ['Subtitles', 'srt', /^1\n00:00:00,400 --> /],
    ['Web subtitles', 'vtt', /^WEBVTT/],
    ['Everything', 'json', /"full_transcript"/],
    ['Audio, as it was sent', 'wav', /^RIFF/],
  ]) {
    await page.click('.actions [aria-haspopup="menu"]')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[role="menuitem"]:has-text("${item}") >> nth=0`)])
    check(download.suggestedFilename() === `${id}.${name}`, download.suggestedFilename())
    check(content.test(readFileSync(await download.path(), 'latin1')), item)
  }
}

/** Opens a session with the API and speaks into it from a page of another origin, until stopped. */
async function speak(t, request) {
  const answer = await fetch(`${t.base}/v2/live`, { method: 'POST', headers: { 'x-service-key': t.task.key }, body: JSON.stringify(request) })
  const { id, url } = await answer.json()
  const elsewhere = await t.context.newPage()
  await t.page.bringToFront() // a page behind another draws once a second
  await elsewhere.evaluate(
    ([address, audio]) => {
      const pcm = Uint8Array.from(atob(audio), (c) => c.charCodeAt(0))
      const socket = new WebSocket(address)
      let at = 0
      socket.onopen = () => {
        window.timer = setInterval(() => {
          socket.send(pcm.subarray(at, at + 3200))
          at = (at + 3200) % (pcm.length - 3200)
        }, 50)
      }
      window.stop = () => {
        clearInterval(window.timer)
        socket.send('{"type":"stop_recording"}')
      }
    },
    [t.base.replace(/^http/, 'ws') + '/v2/live' + new URL(url).search, readFileSync(t.task.audio).subarray(44).toString('base64')],
  )
  return { id, stop: () => elsewhere.evaluate(() => window.stop()), close: () => elsewhere.close() }
}

async function following(t) {
  const { page } = t
  await t.open('sessions')
  await t.see('h1', /Nobody is speaking/)
  await t.inspect('sessions-empty', ['wide', 'narrow'])
  const session = await speak(t, { custom_metadata: { title: 'Front desk' }, sample_rate: 16000, endpointing: 0.2 })
  await t.see('.session-row .who', /Front desk/)
  await page.waitForSelector('.session-row .last:not(.none)')
  await t.see('h1', /in one session/)
  const words = (await page.innerText('.session-row .last')).split(' ').slice(0, 3)
  await t.inspect('sessions', all)
  await page.click('.session-row')
  await t.see('.transcript', new RegExp(words[0])) // what was said before one joined
  await t.see('.divider', /you joined here/)
  const before = await page.locator('.utterance:not(.partial)').count()
  await page.waitForFunction((n) => document.querySelectorAll('.utterance:not(.partial)').length > n + 1, before)
  await t.inspect('session', all)
  await page.click('.panel [role="tab"] >> text=Delays')
  await t.see('.stages', /Endpointed.*Decoded.*Sent/s)
  await t.see('.final-delays', /\d+:\d\d.*ms/s)
  await t.show('session-delays', ['wide'])
  await page.click('.panel [role="tab"] >> text=Session')
  await t.see('.follow-deck', /Following.*final\s+\d+\s*ms/s)
  await t.resize('tiny')
  await page.waitForFunction(() => { // there is something to scroll
    const { scrollHeight, clientHeight } = document.querySelector('.scroll')
    return scrollHeight > clientHeight + 100
  })
  await page.locator('.scroll').evaluate((e) => (e.scrollTop = 0))
  await t.see('.follow-deck button', /^Follow$/)
  await page.click('.follow-deck button')
  await t.see('.follow-deck button', /Following/)
  await t.resize('wide')
  await captions(t, session.id)
  await session.stop()
  await t.see('.stage .notice', /The session has ended/)
  await session.close()
  await page.click('.stage .notice a')
  await t.see('h1', /Front desk/)
  await page.waitForSelector('.utterance .word')
}

/** A reader without a key opens the link. */
async function captions(t) {
  const { page } = t
  await page.click('.stage-bar [aria-haspopup="dialog"]')
  const link = (await page.innerText('.share-link code')).replace(/\s/g, '')
  await page.keyboard.press('Escape')
  const context = await t.context.browser().newContext({ viewport: sizes.wide, reducedMotion: 'reduce' })
  const reader = await context.newPage()
  t.watch(reader)
  const asked = []
  reader.on('request', (r) => asked.push(r.url()))
  await reader.goto(link)
  await reader.waitForSelector('.caption .lines p:not(.waiting):not(.cut)')
  check(!asked.some((url) => url.includes('tok_')), 'the token is in an address', asked)
  t.page = reader
  await t.inspect('share', all)
  t.page = page
  t.away = true // the link is refused, which the browser notes
  await reader.goto('about:blank')
  await reader.goto(link.replace(/token=.*/, 'token=tok_NOBODY'))
  await reader.waitForFunction(() => /does not lead to captions any more/.test(document.querySelector('.caption .lines')?.innerText))
  await context.close()
  t.away = false
}

async function load(t) {
  const { page } = t
  await t.open('load')
  await t.see('h1', /How many people can this machine follow/)
  await t.inspect('load-empty', ['wide', 'narrow'])
  await page.setInputFiles('.load input[type="file"]', { name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') })
  await t.see('.notice', /no report of loadtest/)
  await page.setInputFiles('.load input[type="file"]', t.task.report)
  await t.see('.verdict', /carries 18 people speaking at once/)
  await t.see('.lede', /within 594 ms; promised were 800 ms/)
  await t.until(async () => (await page.locator('.plot-box canvas').count()) === 2, () => 'there are not two plots')
  await t.inspect('load', all)
  await comparing(t)
}

/** The report beside one of the day before, when the server carried fewer and finals came later. */
async function comparing(t) {
  const { page } = t
  const report = JSON.parse(readFileSync(t.task.report))
  report.started = new Date(Date.parse(report.started) - 86_400_000).toISOString()
  report.capacity.sessions = 16
  report.load.silence = 0.5
  for (const trial of report.capacity.trials) for (const q of Object.keys(trial.final)) trial.final[q] *= q === 'count' ? 1 : 0.8
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=Compare')])
  await chooser.setFiles({ name: 'yesterday.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(report)) })
  await t.see('.verdict', /carries 18 people, 2 more than before/)
  await t.see('.lede', /With 18 people.*before and within.*now/)
  await t.see('.notice', /Pauses added differs/)
  await t.see('.table-box', /16 sessions.*418\s+522\s+\+25 %/s)
  await t.inspect('load-compared', ['wide', 'narrow'])
  await page.click('[aria-label="Close yesterday.json"]')
  await t.see('.verdict', /carries 18 people speaking at once/)
}

async function deleting(t, id) {
  const { page } = t
  await t.open(`records/${id}`)
  await page.click('[aria-label="Delete this record"]')
  await t.see('.dialog', /Delete “Platform north, night”\?/)
  await t.inspect('record-delete', ['wide'])
  await page.click('.dialog .solid')
  await t.see('h1', /^Records$/)
  await page.waitForFunction(() => document.querySelectorAll('.record-row').length === 4 && !document.body.innerText.includes('Platform north'))
}

/** Three hours and 5,000 utterances: how soon it is painted, what it takes, and that one can scroll and find. */
async function long(t, id) {
  const { page } = t
  await page.goto('about:blank')
  await t.open(`records/${id}`)
  await page.waitForSelector('.utterance .word')
  const firstPaint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime)
  const words = await page.evaluate(() => performance.now())
  for (let n = 0; n < 30; n++) {
    await page.mouse.move(500, 500)
    await page.mouse.wheel(0, 5000)
  }
  await page.waitForFunction(() => [...document.querySelectorAll('.utterance .words')].some((e) => e.innerText && e.getBoundingClientRect().top > 200))
  check((await page.locator('.utterance').count()) < 120, 'all utterances are drawn')
  await page.fill('.find-in-record input', 'zeppelin')
  await t.see('mark.hit', /zeppelin/)
  const top = () => page.locator('mark.hit').first().evaluate((e) => e.getBoundingClientRect().top / innerHeight)
  await t.until(async () => (await top()) > 0.2 && (await top()) < 0.75, () => 'the place is not in sight')
  await t.inspect('record-long', ['wide', 'narrow'])
  const client = await t.context.newCDPSession(page)
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  return { firstPaint, words, memory: usedSize / 1e6 }
}

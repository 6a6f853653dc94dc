// Somebody signs in, talks, and sees the words come, while the server is killed and the page is loaded again.
import { check, run } from './browser.mjs'

const words = (text) => text.toLowerCase().split(/[^a-z']+/).filter(Boolean)

/** The words on the pad: of finals, or of what is being said. */
const pad = (page, which = '') => page.locator(`.utterance${which} .word`).allInnerTexts()

/** In the page: whether its live region says one of the finals; which one depends on how fast they come. */
const announced = () => {
  const words = (text) => text.toLowerCase().match(/[a-z']+/g)?.join(' ')
  const said = words(document.querySelector('.unseen[aria-live]').innerText)
  return !!said && [...document.querySelectorAll('.utterance:not(.partial)')].some((u) => words([...u.querySelectorAll('.word')].map((w) => w.innerText).join(' ')) === said)
}

await run(async (t) => {
  const { page } = t
  await t.open()
  await t.see('h1', /Which key/)
  await t.inspect('login', ['wide', 'narrow'])
  t.away = true // the browser itself notes the refusal
  await t.signIn('nobody-has-this-key-here')
  await t.see('.refused', /not known here/)
  t.away = false
  const selected = () =>
    page.$eval('.sign-in input', (e) => e === document.activeElement && e.value.length === 24 && e.selectionStart === 0 && e.selectionEnd === 24)
  await t.until(selected, () => 'the wrong key does not stay selected')
  await t.inspect('login-wrong', ['wide', 'narrow'])
  await t.signIn()
  await t.see('h1', /Say something/)
  await t.see('.state', /Engines ready/)
  const cookies = await t.context.cookies()
  check(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === 'Strict', cookies)
  check(!(await page.evaluate(() => document.cookie)), 'scripts can read the cookie')
  await t.see('.hello p', /to this server and no further/)
  await t.inspect('talk-idle')
  await page.getByRole('button', { name: /^Language/ }).click()
  await t.inspect('talk-select', ['wide'])
  await page.keyboard.press('Escape')
  await page.evaluate(() => document.activeElement.blur()) // the button, which Space would press

  await page.keyboard.press('Space')
  await t.see('.talk-button', /Stop/)
  await t.see('.utterance.partial', /\w+ \w+/)
  check(/^● 0:\d\d Talk/.test(await page.title()), await page.title())
  await page.waitForSelector('.utterance:not(.partial)')
  const first = await pad(page, ':not(.partial)')
  await t.until(() => page.evaluate(announced), () => 'no final is announced')
  await t.inspect('talk-recording', ['wide', 'narrow'])

  await page.getByRole('button', { name: 'Share' }).click()
  await t.see('.share-link code', /speech\/console#\/share\/.*token=tok_/)
  await t.inspect('talk-share', ['wide'])
  await page.keyboard.press('Escape')

  t.away = true
  await t.command('kill')
  await t.see('.stage .notice', /Connection lost.*kept here/s)
  await page.waitForSelector('.talk-button.wait') // the button says that the connection is lost
  await t.inspect('talk-resuming', ['wide', 'narrow'])
  await t.command('start')
  await t.see('.stage .notice', /Connected again/)
  await t.see('.divider', /connection lost, [0-9.]+ s sent again/)
  await t.see('.state', /Engines ready/)
  t.away = false

  await page.reload()
  await t.see('.talk-button', /Stop/)
  await t.see('.transcript', new RegExp(first.slice(0, 3).join('.*'), 's')) // what was said before is there again
  const before = (await pad(page, ':not(.partial)')).length
  await page.waitForFunction((n) => document.querySelectorAll('.utterance:not(.partial) .word').length > n, before)

  await page.keyboard.press('m')
  await page.locator('.message').first().dispatchEvent('click') // a click waits until the row stands still, while new ones push it down
  await t.see('.json', /"session_id"/)
  await t.inspect('talk-messages', ['wide'])
  await page.keyboard.press('c')
  await t.see('.code', /endpointing: 0\.3/)
  check(!(await page.innerText('.code')).includes(t.task.key), 'the key is in the code')
  await t.inspect('talk-code', ['wide'])
  await page.keyboard.press('o')
  await page.keyboard.press('Escape')

  await page.evaluate(() => document.activeElement.blur())
  await page.keyboard.press('Space')
  await t.see('.talk-button', /Talk again/)
  await t.inspect('talk-ended', ['wide', 'narrow'])
  const shown = words((await pad(page)).join(' '))
  const seconds = await page.innerText('.clock')
  const id = (await page.getAttribute('.after a', 'href')).split('/').pop()
  const job = await page.evaluate(async (id) => (await fetch(`v2/live/${id}`)).json(), id)
  check(job.status === 'done', job.status)
  check(words(job.result.transcription.full_transcript).join(' ') === shown.join(' '), shown, job.result.transcription.full_transcript)
  check(Math.abs(job.result.metadata.audio_duration - clock(seconds)) < 0.2, `${seconds} were recorded, ${job.result.metadata.audio_duration} s arrived`)

  await away(t)
  await page.getByRole('button', { name: /Signed in/ }).click()
  await t.inspect('menu', ['wide', 'narrow'])
  await page.getByRole('menuitem', { name: /Sign out/ }).click()
  await t.see('h1', /Which key/)
  check((await t.context.cookies()).length === 0, 'the cookie stays')
  return { text: shown.join(' ') }
})

/** The server is gone: each page says so, and goes on when it is back. */
async function away(t) {
  const { page } = t
  await t.open('sessions')
  await t.see('h1', /Nobody is speaking/)
  t.away = true
  await t.command('kill')
  await t.see('.notice', /steno does not answer.*What is shown is from before/s)
  await t.show('sessions-away')
  await page.click('nav >> text=Talk')
  await page.click('.talk-button')
  await t.see('.stage .notice', /steno does not answer.*Nothing was recorded.*Try again/s)
  await t.show('talk-away')
  await page.click('nav >> text=Records')
  await t.see('main', /steno does not answer/)
  await t.show('records-away')
  await t.command('start')
  await t.until(async () => (await fetch(`${t.base}/readyz`)).ok, () => 'steno does not start again') // the page may not have asked meanwhile
  await t.open('talk')
  await t.see('h1', /Say something/)
  await t.see('.state', /Engines ready/)
  t.away = false
}

function clock(text) {
  const [minutes, seconds] = text.split(':').map(Number)
  return minutes * 60 + seconds
}

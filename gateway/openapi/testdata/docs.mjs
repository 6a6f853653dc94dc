// The page /docs in a browser: one choice of language for all samples, which is remembered; copying; search by keyboard; samples
// with the address that the page came from; and what has to hold on every page.
import { check, run } from '../../console/testdata/browser.mjs'

run(async (t) => {
  const { page } = t
  await t.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${t.base}/docs`)
  const shown = () => page.locator('#postV2Live .sample:visible pre').allInnerTexts()
  check((await shown()).length === 1 && (await shown())[0].startsWith('curl '), 'samples shown at first', await shown())

  await page.locator('#postV2Live').getByRole('button', { name: 'Python' }).click()
  check((await shown())[0].includes('import requests'), 'the sample in Python is', await shown())
  const others = await page.locator('.sample:visible').evaluateAll((all) => all.map((s) => s.dataset.show))
  check(others.length > 20 && others.every((lang) => lang === 'py'), 'languages shown', others)
  await page.reload()
  check((await shown())[0].includes('import requests'), 'after a reload', await shown())

  const copy = page.locator('#postV2Live').getByRole('button', { name: /^Copy: postV2Live in Python/ })
  let copied = ''
  await t.until(async () => { // a browser that is in the background for a moment gives no clipboard, nor an error
    await page.bringToFront()
    await copy.click()
    copied = await page.evaluate(() => Promise.race([navigator.clipboard.readText(), new Promise((done) => setTimeout(done, 5000, ''))]))
    return copied === (await shown())[0] && copied.includes(`${t.base}/v2/live`)
  }, () => `copied: ${copied}`)

  await page.keyboard.press('/')
  await page.keyboard.type('maximum_duration_without_endpointing')
  await t.see('#count', /^[1-9]\d* places?$/)
  await t.shoot('docs-search-wide-light')
  await page.keyboard.press('Enter')
  const found = page.locator('#postV2Live .field', { hasText: 'maximum_duration_without_endpointing' }).first()
  check(await found.evaluate((e) => e.getBoundingClientRect().top >= 52 && e.getBoundingClientRect().bottom <= innerHeight), 'what was found is not in sight')
  check(await page.locator('#found').isHidden(), 'the results stay')

  await page.keyboard.press('/')
  await page.locator('#find').fill('target_languages')
  await t.see('#count', /place/)
  await page.keyboard.press('Enter')
  check(await page.evaluate(() => [...document.querySelectorAll('details.below')].some((d) => d.open)), 'nothing was opened for what is within')

  await page.locator('#find').fill('nothing like this')
  await t.see('#count', /Nothing/)
  await page.keyboard.press('Escape')

  // The rules about colours and names take long on a long page: it is cut to a few sections of each kind.
  await page.goto(`${t.base}/docs`)
  await page.setViewportSize({ width: 360, height: 640 })
  await page.locator('.contents summary').click()
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the whole page is too wide on a phone')
  await page.evaluate(() => {
    const kept = ['start', 'guide-live', 'refusals', 'postV2Live', 'getV2LiveId', 'message-AudioAck', 'message-Transcript', 'schema-ErrorBody']
    for (const section of document.querySelectorAll('section.item')) if (!kept.includes(section.id)) section.remove()
    for (const field of [...document.querySelectorAll('#postV2Live .fields > .field')].slice(12)) field.remove()
  })
  await t.inspect('docs', ['wide', 'tiny'])
  return { copied }
})

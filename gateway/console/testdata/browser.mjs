// What the tests of the console share: a browser, and what has to hold on every page. A test is a script that is given a JSON
// object as its argument and prints one as its last line; it fails by an exit code.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { chromium } from 'playwright-core'

const within = 240_000 // ms in which what is waited for must come, on machines that do much else too

/** Throws unless it holds. */
export function check(holds, ...what) {
  if (!holds) throw new Error(what.map((w) => (typeof w === 'string' ? w : JSON.stringify(w))).join(' '))
}

/**
 * Runs a test in a page. task has what Go passed on: base, the gateway's address; microphone, a WAV that stands in for one.
 * @param {(t: Tester) => Promise<any>} test returns what is printed for Go
 */
export async function run(test) {
  const task = JSON.parse(process.argv[2])
  const args = ['--no-sandbox', '--disable-quic', '--mute-audio', '--use-fake-device-for-media-stream', '--autoplay-policy=no-user-gesture-required']
  if (task.microphone) args.push('--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${task.microphone}`)
  const browser = await chromium.launch({ executablePath: task.browser, args })
  const context = await browser.newContext({ viewport: sizes.wide, colorScheme: 'light', permissions: task.microphone ? ['microphone'] : [], reducedMotion: 'reduce' })
  context.setDefaultTimeout(within)
  const tester = new Tester(task, context, await context.newPage())
  process.on('SIGTERM', () => { // it has taken too long
    console.error(`stopped at: ${tester.step}`, tester.noise.join('\n'))
    process.exit(1) // the browser ends with it
  })
  let failure
  try {
    console.log(JSON.stringify((await test(tester)) ?? {}))
    tester.complain()
  } catch (error) {
    failure = error
    await tester.shoot('failed').catch(() => {})
  }
  await browser.close()
  if (failure) {
    console.error(failure.stack, tester.noise.join('\n'))
    process.exit(1)
  }
}

export const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 }, tiny: { width: 360, height: 640 } }

class Tester {
  /** What the browser said on its console, errors of scripts, and requests to other places. */
  noise = []

  /** What is being done, for when it does not end. */
  step = 'start'

  /** @param {{ base: string, pages?: string }} task pages: another address that the test's own page is at */
  constructor(task, context, page) {
    this.task = task
    this.base = task.base
    this.context = context
    this.page = page
    this.watch(page)
  }

  /**
   * Notes everything that must not be: only what a server that is away makes the browser say is expected of requests that began
   * while away is true, also when it says so later.
   */
  away = false
  watch(page) {
    const excused = new Set() // addresses
    page.on('console', (m) => {
      const network = /Failed to load resource|WebSocket connection|ERR_/.test(m.text())
      if (/willReadFrequently/.test(m.text())) return // a test looks at what a canvas shows
      if (['error', 'warning'].includes(m.type()) && !(network && (this.away || excused.has(m.location().url)))) this.noise.push(`console: ${m.text()}`)
    })
    page.on('pageerror', (e) => this.noise.push(`script: ${e.stack}`))
    page.on('request', (r) => {
      if (this.away) excused.add(r.url())
      if (![this.base, this.task.pages].some((own) => own && r.url().startsWith(own)) && !/^(blob|data):/.test(r.url())) this.noise.push(`request to ${r.url()}`)
    })
    page.on('response', (r) => r.ok() && excused.delete(r.url()))
  }

  complain() {
    check(this.noise.length === 0, this.noise.join('\n'))
  }

  /** Opens a page of the console: path is what stands behind #/. */
  async open(path = '') {
    this.step = `open ${path}`
    await this.page.goto(`${this.base}/console${path && '#/' + path}`)
  }

  async signIn(key = this.task.key) {
    await this.page.fill('.sign-in input', key)
    await this.page.keyboard.press('Enter')
  }

  /**
   * Sees that a page holds what all must: names on controls, contrast, no sideways scrolling, in both themes and on a phone's
   * width as well; and keeps pictures of it, where STENO_SCREENSHOTS says where. Colours of the dark theme and
   * names on a phone are looked at only with all shapes.
   */
  async inspect(name, shapes = ['wide', 'narrow', 'tiny']) {
    const whole = shapes.length > 2 // the others have the colours of these
    const themes = whole || process.env.STENO_SCREENSHOTS ? ['light', 'dark'] : ['light']
    for (const shape of shapes) {
      await this.resize(shape)
      for (const theme of themes) {
        await this.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await this.draw()
        if (shape === 'wide' && theme === 'light') await this.judge(`${name} wide`)
        else if (shape === 'wide' && whole) await this.judge(`${name} wide dark`, { runOnly: ['color-contrast'] })
        else if (shape === 'narrow' && whole && theme === 'light') await this.judge(`${name} narrow`, { rules: { 'color-contrast': { enabled: false } } })
        await this.shoot(`${name}-${shape}-${theme}`)
      }
      const over = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      check(over <= 0, `${name} is ${over} px too wide on ${shape}`)
    }
    await this.resize('wide')
    await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  }

  /** Names on controls, roles and contrast, by the rules of WCAG 2.2 A and AA, or by those that options say. */
  async judge(name, options = {}) {
    this.step = `judge ${name}`
    await this.page.evaluate(`if (!window.axe) { ${axe.source} }`)
    const { violations } = await this.page.evaluate(
      (given) => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'], ...given }),
      options,
    )
    const said = violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + ' ' + n.failureSummary).join('\n')}`)
    if (said.length > 0) this.noise.push(`${name}: ${said.join('\n')}`)
  }

  /** Keeps pictures of the page, where STENO_SCREENSHOTS says where; what must hold of it is looked at elsewhere. */
  async show(name, shapes = ['wide', 'narrow']) {
    if (!process.env.STENO_SCREENSHOTS) return
    for (const shape of shapes) {
      await this.resize(shape)
      for (const theme of ['light', 'dark']) {
        await this.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await this.draw()
        await this.shoot(`${name}-${shape}-${theme}`)
      }
    }
    await this.resize('wide')
    await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  }

  /** Gives the page another size, which it has when this returns. */
  async resize(shape) {
    await this.page.setViewportSize(sizes[shape])
    await this.page.waitForFunction((width) => innerWidth === width, sizes[shape].width)
    await this.draw()
  }

  /** Waits until the page is drawn as it is now. */
  async draw() {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }

  async shoot(name) {
    this.step = `behind ${name}`
    const folder = process.env.STENO_SCREENSHOTS
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    await this.page.screenshot({ path: join(folder, `${name}.png`) })
  }

  /** Asks the test in Go for something: a POST to its address. */
  async command(name) {
    this.step = `command ${name}`
    const answer = await fetch(`${this.task.control}/${name}`, { method: 'POST' })
    check(answer.ok, name, await answer.text())
  }

  /** Waits until a text on the page matches. */
  async see(selector, pattern) {
    this.step = `see ${pattern} in ${selector}`
    let seen = ''
    const matches = async () => pattern.test((seen = await this.page.locator(selector).first().innerText({ timeout: within })))
    await this.until(matches, () => `${selector} says "${seen}", not ${pattern}`)
    return seen
  }

  /**
   * Waits until it holds: what a page shows after what was waited for may be drawn a moment later.
   * @param {() => Promise<boolean>} holds an error means no
   * @param {() => string} otherwise what is wrong if it never holds
   */
  async until(holds, otherwise) {
    for (const end = Date.now() + within; !(await holds().catch(() => false)); ) {
      check(Date.now() < end, otherwise())
      await new Promise((r) => setTimeout(r, 50))
    }
  }
}

// The recording of this page: there is one at most, and it goes on while other pages are looked at.
import { LiveSession, Microphone, Recording } from 'steno:client'
import { announce } from '../../lib/announce.js'
import { ask, base } from '../../lib/api.js'
import { cell } from '../../lib/cell.js'
import { Conversation } from '../../lib/conversation.js'
import { clock } from '../../lib/format.js'
import { recall } from '../../lib/preferences.js'
import { Log } from './log.js'
import { requestOf, sampleRate } from './options.js'
import { Timing } from './timing.js'
import { endTrouble, openTrouble } from './trouble.js'
import { keepAwake } from './wake.js'

const byteRate = sampleRate * 2
const stripLength = 30 // seconds
const chunksASecond = 20
const reconnectedFor = 4000 // ms for which it is said that the connection is back
const silentAfter = 6 // seconds of nothing at all from a microphone
const savedName = 'steno.recording'

/**
 * idle: nothing yet · opening · recording · resuming: the connection is lost · finishing: stopped, the rest is awaited · ended
 */
export const phase = cell('idle')
/** Why it did not begin or has ended badly: { title, text, action?, passing? }; null: nothing to tell. What is passing is over with the next final. */
export const trouble = cell(null)
/** A number that changes with what is on the pad. */
export const version = cell(0)
/** The level of the last 50 ms: { level, peak, clipping }, in decibels. */
export const level = cell({ level: -60, peak: -60, clipping: false })
/** Seconds of audio so far. */
export const heard = cell(0)
export const delays = cell({ ack: null, partial: null, final: null })
/** A number that changes with the log. */
export const logged = cell(0)
/** { kept: seconds, next: ms until the next attempt | null } while the connection is lost. */
export const outage = cell(null)
/** Seconds that were sent again, for a while after the connection was lost; else null. */
export const reconnected = cell(null)
/** Whether the microphone gives nothing at all. */
export const silent = cell(false)

/** The present or last recording; null before the first. */
export let current = null

const decibels = (v) => (v > 0 ? 20 * Math.log10(v) : -60)

class Talk {
  conversation = new Conversation()
  log = new Log()
  timing = new Timing(byteRate)
  session = null
  source = null
  levels = new Float32Array(stripLength * chunksASecond) // a ring; the newest at position - 1
  position = 0
  begun = Date.now()
  left = false // by who spoke, see leave
  #silenced = false // stopped or ended: nothing is heard any more

  constructor(request, from) {
    this.request = request
    this.from = from // { kind: 'microphone', deviceId }, { kind: 'file', file } or { kind: 'sample' }
  }

  get id() {
    return this.session?.id ?? ''
  }

  /** Begins to hear: the microphone first, since it may be refused. */
  async open() {
    this.source = await this.#openSource()
    try {
      this.session = await LiveSession.open({ base, request: this.request, ownSocket: true })
    } catch (error) {
      await this.source?.close()
      throw error
    }
    this.log.note('sent', this.request)
    this.#listen()
    this.#sendWaiting()
    if (this.#silenced) this.stop() // what was heard ended before the session was there
  }

  /** Takes up the session of this page before it was loaded again. */
  async takeUp(saved) {
    this.session = new LiveSession({ saved })
    heard.set(this.session.sent / byteRate)
    this.#listen()
    await this.#recover()
    if (this.from.kind !== 'microphone') return this.stop()
    if (saved.stopping || this.#silenced) return undefined
    this.source = await this.#openSource()
    if (this.#silenced) this.#closeSource() // meanwhile, and nothing else would close it
    this.#sendWaiting()
  }

  stop() {
    this.#closeSource()
    if (!this.session) return // it is stopped once it is there
    if (this.session.state !== 'ended') phase.set('finishing')
    this.session.stop()
  }

  waiting = [] // audio heard before the session was there

  async #openSource() {
    const to = { sampleRate, onAudio: (bytes) => this.#hear(bytes), onLevel: (l) => this.#show(l), onEnd: () => this.#sourceEnded() }
    if (this.from.kind === 'sample') return Recording.open({ file: await (await ask('console/sample.wav')).blob(), ...to })
    if (this.from.kind === 'file') return Recording.open({ file: this.from.file, ...to })
    return Microphone.open({ deviceId: this.from.deviceId, ...to })
  }

  #closeSource() {
    this.#silenced = true
    this.source?.close()
    this.source = null
  }

  #hear(bytes) {
    if (!this.session) {
      this.waiting.push(bytes)
      return
    }
    this.session.send(bytes)
    this.timing.heard(this.session.sent)
    heard.set(this.session.sent / byteRate)
    if (this.session.state === 'lost') this.#tellOutage()
  }

  #sendWaiting() {
    const waiting = this.waiting
    this.waiting = []
    for (const bytes of waiting) this.#hear(bytes)
  }

  #show({ rms, peak }) {
    this.levels[this.position++ % this.levels.length] = rms
    const clipping = peak > 0.99
    level.set({ level: decibels(rms), peak: Math.max(decibels(peak), level.get().peak - 0.6), clipping })
    const nothing = this.position >= silentAfter * chunksASecond && this.levels.every((l, i) => i >= this.position || l < 1e-5)
    silent.set(nothing && this.from.kind === 'microphone')
  }

  #sourceEnded() {
    if (this.#silenced) return
    if (this.from.kind === 'microphone') {
      trouble.set({ kind: 'warn', icon: 'microphone', title: 'The microphone is gone.', text: 'It was unplugged or taken away. What was said is kept.' })
    }
    this.stop()
  }

  #listen() {
    this.session.addEventListener('raw', ({ detail }) => this.#take(detail))
    this.session.addEventListener('state', ({ detail }) => this.#changed(detail))
    this.session.addEventListener('end', ({ detail }) => this.#ended(detail))
    if (this.session.state === 'open') this.#changed('open')
  }

  #take({ text, at }) {
    const message = JSON.parse(text)
    this.log.take(text, message, at)
    this.#measure(message, at)
    const changed = this.conversation.take(message)
    if (changed === 'final') {
      announce(message.data.utterance.text.trim())
      if (trouble.get()?.passing) trouble.set(null)
    }
    if (message.type === 'error') {
      trouble.set({ kind: 'warn', icon: 'unplugged', passing: true, title: 'The engine is in trouble.', text: `${message.error?.message ?? 'It did not answer.'} The session goes on.` })
    }
    logged.set(logged.get() + 1)
    if (changed) version.set(version.get() + 1)
  }

  #measure(message, at) {
    if (message.type === 'audio_chunk' && message.data) this.timing.acked(message.data.byte_range[1], at)
    else if (message.type === 'transcript') this.timing.said(message.data.is_final ? 'final' : 'partial', message.data.utterance.end, at)
    else return
    delays.set(this.timing.medians)
  }

  #changed(state) {
    const stopping = phase.get() === 'finishing'
    if (state === 'lost') {
      this.lostAt ??= this.session.acked
      this.timing.forget()
      delays.set(this.timing.medians)
      if (!stopping) phase.set('resuming')
      this.#tellOutage()
      clearInterval(this.teller)
      this.teller = setInterval(() => this.#tellOutage(), 250)
    } else if (state === 'open') {
      this.#back()
      if (!stopping) phase.set('recording')
    }
  }

  #tellOutage() {
    const next = this.session.nextAttempt
    outage.set({ kept: this.session.kept / byteRate, next: next === null ? null : Math.max(0, next - Date.now()) })
  }

  #back() {
    clearInterval(this.teller)
    outage.set(null)
    if (this.lostAt === undefined) return
    const again = (this.session.sent - this.lostAt) / byteRate
    this.lostAt = undefined
    reconnected.set(again)
    setTimeout(() => reconnected.set(null), reconnectedFor)
    this.conversation.divide(`connection lost, ${again.toFixed(1)} s sent again`)
    version.set(version.get() + 1)
  }

  #ended({ code, reason }) {
    clearInterval(this.teller)
    outage.set(null)
    this.#closeSource()
    this.log.note('closed', { code, reason })
    if (leaving) return
    if (code !== 1000) trouble.set(endTrouble(code))
    this.conversation.end()
    this.conversation.divide(`end, ${clock(heard.get(), 1)}`)
    silent.set(false)
    version.set(version.get() + 1)
    logged.set(logged.get() + 1)
    phase.set('ended')
    announce('The recording has ended.')
  }

  /** The messages from before the page was loaded again: the gateway has all but the partials. */
  async #recover() {
    const end = new AbortController()
    let quiet = setTimeout(() => end.abort(), 3000)
    try {
      const answer = await ask(`v2/live/${this.id}/events?from=0`, { headers: { accept: 'text/event-stream' }, signal: end.signal })
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let rest = ''; ; ) {
        const { value, done } = await reader.read()
        if (done) break
        clearTimeout(quiet)
        quiet = setTimeout(() => end.abort(), 500) // what has been logged comes at once; after it, what is live
        const parts = (rest + value).split('\n')
        rest = parts.pop()
        for (const line of parts) if (line.startsWith('data:')) this.#take({ text: line.slice(5).trim(), at: performance.now() })
      }
    } catch (error) {
      if (error.name !== 'AbortError') trouble.set({ kind: 'warn', title: 'What was said before is not shown.', text: 'It is kept, and stands in the record.' })
    } finally {
      clearTimeout(quiet)
    }
  }
}

/** Begins a recording. from is { kind: 'microphone', deviceId }, { kind: 'file', file } or { kind: 'sample' }. */
export async function begin(options, from) {
  if (!['idle', 'ended'].includes(phase.get())) return
  phase.set('opening')
  trouble.set(null)
  silent.set(false)
  const talk = new Talk(requestOf(options), from)
  heard.set(0)
  delays.set({ ack: null, partial: null, final: null })
  try {
    current = talk
    await talk.open()
    keepAwake(true)
  } catch (error) {
    trouble.set(openTrouble(error))
    phase.set('idle')
    current = null
  }
  version.set(version.get() + 1)
}

export function stop() {
  if (['recording', 'resuming'].includes(phase.get())) current.stop()
}

/** Forgets what has ended, so that the page is as at first. */
export function forget() {
  current = null
  heard.set(0)
  phase.set('idle')
  trouble.set(null)
  version.set(version.get() + 1)
}

/** Stops what runs and forgets what was said, for who signs out: whoever comes next is somebody else. */
export function leave() {
  if (!current) return
  if (phase.get() === 'ended') return forget()
  current.left = true
  current.stop()
}

phase.watch((p) => {
  if (p === 'ended' || p === 'idle') keepAwake(false)
  if (p === 'ended' && current.left) forget()
})

// A page that just ends would end its session too. What it has not sent is kept in this tab, for when it is loaded again.
let leaving = false
addEventListener('pagehide', () => {
  if (!current || !['recording', 'resuming', 'finishing'].includes(phase.get())) return
  leaving = true
  const kind = current.from.kind
  const saved = current.session.save()
  try {
    const { deviceId } = current.from
    if (saved) sessionStorage.setItem(savedName, JSON.stringify({ saved, request: current.request, from: { kind, deviceId } }))
  } catch {
    // more was kept than the browser stores; the session ends in a while, with what had arrived
  }
})
addEventListener('pageshow', (e) => e.persisted && location.reload()) // from the cache of the browser, where its session is gone

/** Takes up the recording of this tab before it was loaded again, if there was one. */
export async function takeUp() {
  let kept
  try {
    kept = JSON.parse(sessionStorage.getItem(savedName))
    sessionStorage.removeItem(savedName)
  } catch {
    return
  }
  if (!kept || current) return
  current = new Talk(kept.request, kept.from)
  phase.set(kept.saved.stopping ? 'finishing' : 'resuming')
  try {
    keepAwake(true)
    await current.takeUp(kept.saved)
  } catch (error) {
    trouble.set(openTrouble(error))
    current.stop()
  }
}

/** The device that was chosen last, undefined for the browser's own choice. */
export const chosenDevice = () => recall('talk.device', undefined)

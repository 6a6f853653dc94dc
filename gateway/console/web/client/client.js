// A client for live sessions in browsers, without dependencies. It keeps audio until the gateway has acknowledged it, comes back
// to the session when the connection is lost, and sends again what is missing, so that no word is lost.
//
//   import { LiveSession, Microphone } from 'https://steno.example/client.js'
//
//   const { url, id } = await (await fetch('/my-server/open-session', { method: 'POST' })).json() // it asks POST /v2/live
//   const session = new LiveSession({ url, id })
//   session.addEventListener('message', ({ detail }) => {
//     if (detail.type === 'transcript') console.log(detail.data.utterance.text)
//   })
//   const microphone = await Microphone.open({ sampleRate: 16000, onAudio: (bytes) => session.send(bytes) })
//   …
//   microphone.close()
//   await session.stop() // resolves when the last message has come
//
// The key stays on your server: what it passes on, the url of POST /v2/live, is good for this session alone. Pages that may have
// a credential call LiveSession.open instead. Audio is what the session was opened for; Microphone gives 16-bit PCM in one channel.
// Acknowledgments must stay on (messages_config.receive_acknowledgments, which is the default): without them nothing could be kept.

/** What a socket may be closed with by this side without ending the session: to the gateway it is a lost connection. */
const ABANDONED = 4000
const FIRST_WAIT = 250 // ms before the first attempt to connect again; doubled with each
const LONGEST_WAIT = 5000 // ms
const CONNECT_WITHIN = 10_000 // ms
const ACK_WITHIN = 10_000 // ms without an ack after which the connection counts as lost
const FRAME = 256 << 10 // bytes sent at once after a reconnection
const MOST_KEPT = 64 << 20 // bytes; half an hour of speech, long after the gateway has given the session up
const REMEMBERED = 1000 // messages by which repeated ones are recognised

/**
 * @typedef {'connecting' | 'open' | 'lost' | 'ended'} State
 *   connecting: for the first time; lost: audio is kept, and sent when the connection is back; ended: nothing more comes.
 *
 * @typedef {object} Saved what a session needs to be taken up after the page was loaded again, see LiveSession.save
 * @property {string} url
 * @property {string} id
 * @property {number} acked
 * @property {string} audio the bytes that were not acknowledged, as characters of one byte
 * @property {boolean} stopping
 */

/** Why a session could not be opened. */
export class OpenError extends Error {
  /**
   * @param {number} status of HTTP; 0: nothing answered
   * @param {string} message of the gateway
   * @param {string[]} faults what was wrong with the fields of the request
   * @param {number | null} retryAfter seconds after which another attempt may succeed
   */
  constructor(status, message, faults = [], retryAfter = null) {
    super(message)
    this.name = 'OpenError'
    this.status = status
    this.faults = faults
    this.retryAfter = retryAfter
  }
}

/**
 * A live session. Events (CustomEvent, with the value in detail):
 *   message  each message of the gateway once, parsed, in order; acknowledgments of audio as well
 *   raw      the text of each message, before it is parsed, with { text, at } (performance.now)
 *   state    the new State
 *   end      { code, reason }, of the socket's close; 1000: everything has come
 */
export class LiveSession extends EventTarget {
  /** @type {State} */
  state = 'connecting'
  /** Bytes that were given to send. */
  sent = 0
  /** Bytes that the gateway has acknowledged: it has written them down. */
  acked = 0
  /** When the next attempt to connect is made (Date.now), while the connection is lost; else null. */
  nextAttempt = null

  #url
  #chunks = [] // not acknowledged, in order; the first begins at #acked
  #passed = 0 // bytes handed to the present socket
  #socket = null
  #attempts = 0
  #timer = null
  #watchdog = null
  #stopping = false
  #seen = new Set()
  #ended
  #end

  /**
   * Takes up a session that was opened with POST /v2/live. url is that of the answer.
   * @param {{ url: string, id?: string, saved?: Saved }} options saved: what save returned before the page was loaded again
   */
  constructor({ url, id = '', saved }) {
    super()
    this.id = saved?.id ?? id
    this.#url = saved?.url ?? url
    this.#ended = new Promise((resolve) => (this.#end = resolve))
    if (saved) {
      this.acked = this.sent = saved.acked
      this.#keep(Uint8Array.from(saved.audio, (c) => c.charCodeAt(0)))
      this.#stopping = saved.stopping
    }
    this.retryNow = this.retryNow.bind(this)
    globalThis.addEventListener?.('online', this.retryNow)
    this.#connect()
  }

  /**
   * Opens a session. Errors: OpenError.
   * @param {{ base: string, request?: object, headers?: Record<string, string>, ownSocket?: boolean }} options
   *   base is the gateway's address; request the body of POST /v2/live; headers carry a key or token, where no cookie does.
   *   With ownSocket the socket is opened below base too, whatever name the gateway gives itself.
   */
  static async open({ base, request = {}, headers = {}, ownSocket = false }) {
    const root = base.endsWith('/') ? base : base + '/'
    let answer
    try {
      answer = await fetch(root + 'v2/live', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(request),
      })
    } catch {
      throw new OpenError(0, 'the gateway does not answer')
    }
    const told = await answer.json().catch(() => ({}))
    if (!answer.ok) {
      const after = Number(answer.headers.get('retry-after'))
      throw new OpenError(answer.status, told.message ?? answer.statusText, told.validation_errors, after > 0 ? after : null)
    }
    const url = ownSocket ? root.replace(/^http/, 'ws') + 'v2/live' + new URL(told.url).search : told.url
    const session = new LiveSession({ url, id: told.id })
    session.warnings = told.warnings ?? []
    return session
  }

  /** Bytes that are kept here until they are acknowledged. */
  get kept() {
    return this.sent - this.acked
  }

  /** Resolves with { code, reason } when the session has ended. */
  get ended() {
    return this.#ended
  }

  /** Sends audio, now or when the connection is back. The bytes must not be changed afterwards. After stop it does nothing. */
  send(/** @type {ArrayBuffer | Uint8Array} */ audio) {
    const bytes = audio instanceof Uint8Array ? audio : new Uint8Array(audio)
    if (this.#stopping || this.state === 'ended' || bytes.length === 0) return
    this.#keep(bytes)
    if (this.kept > MOST_KEPT) this.#finish(ABANDONED, 'more audio than can be kept')
    else this.#flush()
  }

  /** Ends the recording. Resolves with { code, reason } when all that was said has come; code 1000 says that it has. */
  stop() {
    if (!this.#stopping && this.state !== 'ended') {
      this.#stopping = true
      if (this.state === 'open') this.#sayStop()
    }
    return this.#ended
  }

  /** Tries to connect at once, if the connection is lost. */
  retryNow() {
    if (this.state === 'lost' && this.nextAttempt !== null) this.#connect()
  }

  /**
   * Leaves the session as it is, to be taken up by another LiveSession that is given what this returns, within the resume window
   * of the gateway (30 s by default). Meant for pagehide: a page that just ends would end its session as well.
   * @returns {Saved | null} null: there is nothing to take up
   */
  save() {
    if (this.state === 'ended') return null
    const parts = this.#chunks.map((c) => Array.from(c, (b) => String.fromCharCode(b)).join(''))
    const saved = { url: this.#url, id: this.id, acked: this.acked, audio: parts.join(''), stopping: this.#stopping }
    this.#finish(ABANDONED, 'saved')
    return saved
  }

  #keep(bytes) {
    if (bytes.length === 0) return
    this.#chunks.push(bytes)
    this.sent += bytes.length
  }

  #connect() {
    clearTimeout(this.#timer)
    this.nextAttempt = null
    this.#attempts++
    const url = new URL(this.#url)
    url.searchParams.set('offset', this.acked)
    const socket = new WebSocket(url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#timer = setTimeout(() => this.#lose(socket), CONNECT_WITHIN)
    socket.onopen = () => this.#opened(socket)
    // What a socket that was given up had received still counts, until the next one is told where this side goes on.
    socket.onmessage = ({ data }) => (socket === this.#socket || (this.#socket === null && this.state === 'lost')) && this.#take(data)
    socket.onclose = ({ code, reason }) => socket === this.#socket && this.#closed(code, reason)
  }

  #opened(socket) {
    if (socket !== this.#socket) return
    clearTimeout(this.#timer)
    this.#passed = this.acked
    this.#tell('open')
    this.#flush()
    if (this.#stopping) this.#sayStop()
    else this.#expectAck()
  }

  /** Hands the socket what it has not been given yet. */
  #flush() {
    if (this.state !== 'open') return
    let at = this.acked
    for (const chunk of this.#chunks) {
      const from = Math.max(0, this.#passed - at)
      for (let i = from; i < chunk.length; i += FRAME) this.#socket.send(chunk.subarray(i, i + FRAME))
      at += chunk.length
    }
    this.#passed = this.sent
    this.#expectAck()
  }

  #sayStop() {
    this.#socket.send('{"type":"stop_recording"}')
  }

  /** A connection that is lost without a word is noticed by the acks that do not come. */
  #expectAck() {
    if (this.#watchdog !== null || this.kept === 0 || this.acked === 0) return
    const socket = this.#socket
    const before = this.acked
    this.#watchdog = setTimeout(() => {
      this.#watchdog = null
      if (this.state !== 'open' || socket !== this.#socket) return
      if (this.acked === before) this.#lose(socket)
      else this.#expectAck()
    }, ACK_WITHIN)
  }

  #take(text) {
    const at = performance.now()
    const message = JSON.parse(text)
    if (message.type === 'audio_chunk') {
      if (message.acknowledged && message.data) this.#acknowledge(message.data.byte_range[1])
    } else if (!(message.type === 'transcript' && !message.data.is_final)) {
      if (this.#seen.has(text)) return // sent again after a reconnection
      this.#seen.add(text)
      if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.values().next().value)
    }
    this.#attempts = 0 // the session is there, so that the next loss is a new one
    this.dispatchEvent(new CustomEvent('raw', { detail: { text, at } }))
    this.dispatchEvent(new CustomEvent('message', { detail: message }))
  }

  #acknowledge(end) {
    let drop = Math.min(end, this.sent) - this.acked
    if (drop <= 0) return
    this.acked += drop
    while (drop > 0) {
      const first = this.#chunks[0]
      if (first.length > drop) this.#chunks[0] = first.subarray(drop)
      else this.#chunks.shift()
      drop -= Math.min(drop, first.length)
    }
  }

  #closed(code, reason) {
    if (code === 1000 || (code >= 4400 && code < 4500)) this.#finish(code, reason)
    else this.#lose(this.#socket)
  }

  /** Gives a socket up and connects again after a while. */
  #lose(socket) {
    if (socket !== this.#socket || this.state === 'ended') return
    this.#drop()
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.#attempts, 10)) * (0.75 + Math.random() / 2)
    this.nextAttempt = Date.now() + wait
    this.#timer = setTimeout(() => this.#connect(), wait)
    this.#tell('lost')
  }

  #drop() {
    clearTimeout(this.#timer)
    clearTimeout(this.#watchdog)
    this.#watchdog = null
    const socket = this.#socket
    this.#socket = null
    if (socket && socket.readyState <= WebSocket.OPEN) socket.close(ABANDONED)
  }

  #finish(code, reason) {
    if (this.state === 'ended') return
    this.#drop()
    globalThis.removeEventListener?.('online', this.retryNow)
    this.#chunks = []
    this.nextAttempt = null
    this.#tell('ended')
    this.dispatchEvent(new CustomEvent('end', { detail: { code, reason } }))
    this.#end({ code, reason })
  }

  #tell(/** @type {State} */ state) {
    this.state = state
    this.dispatchEvent(new CustomEvent('state', { detail: state }))
  }
}

/**
 * @typedef {object} Capture
 * @property {(bytes: Uint8Array) => void} onAudio 16-bit little-endian PCM in one channel, 50 ms at a time
 * @property {(level: { rms: number, peak: number }) => void} [onLevel] of the same 50 ms, 0 to 1
 * @property {() => void} [onEnd] nothing more comes: the device is gone, or the recording has been played
 * @property {number} [sampleRate] of the bytes; 16000 by default
 */

/** What turns a node of an audio graph into bytes. The worklet lies beside this module. */
async function capture(context, node, { onAudio, onLevel, sampleRate }) {
  await context.audioWorklet.addModule(new URL('client-worklet.js', import.meta.url))
  const worklet = new AudioWorkletNode(context, 'steno-capture', { numberOfOutputs: 0, processorOptions: { sampleRate } })
  worklet.port.onmessage = ({ data }) => {
    onLevel?.({ rms: data.rms, peak: data.peak })
    onAudio(new Uint8Array(data.audio))
  }
  node.connect(worklet)
  return worklet
}

/** A microphone that is open. Errors of open are those of getUserMedia: NotAllowedError, NotFoundError and others. */
export class Microphone {
  /**
   * Opens a microphone, which asks the user for permission the first time. Pages need a secure context: https, or localhost.
   * @param {Capture & { deviceId?: string }} options
   */
  static async open({ deviceId, sampleRate = 16000, ...to }) {
    if (!navigator.mediaDevices) throw new DOMException('microphones need https or localhost', 'SecurityError')
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { ...(deviceId && { deviceId: { exact: deviceId } }), channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true },
    })
    const context = new AudioContext({ latencyHint: 'interactive' })
    try {
      const node = context.createMediaStreamSource(stream)
      await capture(context, node, { ...to, sampleRate })
      return new Microphone(context, stream, to.onEnd)
    } catch (error) {
      for (const track of stream.getTracks()) track.stop()
      await context.close()
      throw error
    }
  }

  /** @private */
  constructor(context, stream, onEnd) {
    this.context = context
    this.stream = stream
    const [track] = stream.getAudioTracks()
    this.label = track.label
    this.deviceId = track.getSettings().deviceId
    track.onended = () => onEnd?.()
  }

  /** Whether the browser holds the audio back until the user presses something; resume asks it again. */
  get suspended() {
    return this.context.state === 'suspended'
  }

  resume() {
    return this.context.resume()
  }

  close() {
    for (const track of this.stream.getTracks()) track.stop()
    return this.context.close()
  }
}

/** A recording that is played at its own pace, to be heard and sent. Errors of open: EncodingError for what cannot be decoded. */
export class Recording {
  /** @param {Capture & { file: Blob, muted?: boolean }} options any file that the browser can decode */
  static async open({ file, muted = false, sampleRate = 16000, ...to }) {
    const context = new AudioContext()
    try {
      const buffer = await context.decodeAudioData(await file.arrayBuffer())
      const node = new AudioBufferSourceNode(context, { buffer })
      const worklet = await capture(context, node, { ...to, sampleRate })
      if (!muted) node.connect(context.destination)
      node.onended = () => {
        worklet.port.postMessage('flush') // the end is not a whole chunk
        setTimeout(() => to.onEnd?.(), 100)
      }
      node.start()
      return new Recording(context, buffer.duration)
    } catch (error) {
      await context.close()
      throw error
    }
  }

  /** @private */
  constructor(context, duration) {
    this.context = context
    /** Seconds. */
    this.duration = duration
  }

  get suspended() {
    return this.context.state === 'suspended'
  }

  resume() {
    return this.context.resume()
  }

  close() {
    return this.context.close()
  }
}

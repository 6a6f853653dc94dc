import { cell } from '../../lib/cell.js'

/** The playing of a recording. */
export class Playback {
  /** Seconds from the beginning. */
  at = cell(0)
  playing = cell(false)
  rate = cell(1)
  /** Why it cannot be played; empty: it can. */
  trouble = cell('')
  #frame = 0

  /** @param {string} address of the audio @param {number} duration seconds */
  constructor(address, duration) {
    this.duration = duration
    this.audio = new Audio()
    this.audio.preload = 'none' // it may be large, and is asked for by ranges once it is played
    this.audio.src = address
    this.audio.addEventListener('play', () => this.#run(true))
    this.audio.addEventListener('pause', () => this.#run(false))
    this.audio.addEventListener('ended', () => this.#run(false))
    this.audio.addEventListener('seeked', () => this.at.set(this.audio.currentTime))
    this.audio.addEventListener('error', () => this.trouble.set('This browser cannot play this recording. It can be downloaded.'))
  }

  #run(on) {
    this.playing.set(on)
    cancelAnimationFrame(this.#frame)
    const next = () => {
      this.at.set(this.audio.currentTime)
      this.#frame = requestAnimationFrame(next)
    }
    if (on) next()
  }

  async toggle() {
    if (this.playing.get()) this.audio.pause()
    else await this.#play()
  }

  async #play() {
    const from = this.at.get() >= this.duration - 0.05 ? 0 : this.at.get()
    if (Math.abs(this.audio.currentTime - from) > 0.2) this.audio.currentTime = from
    try {
      await this.audio.play()
    } catch (error) {
      if (error.name !== 'AbortError' && !this.trouble.get()) this.trouble.set('This recording does not play here. It can be downloaded.')
    }
  }

  /** Goes to a second of the recording. */
  seek(seconds) {
    const to = Math.max(0, Math.min(this.duration, seconds))
    this.at.set(to)
    this.audio.currentTime = to
  }

  /** Plays at another speed. */
  setRate(rate) {
    this.audio.playbackRate = rate
    this.rate.set(rate)
  }

  close() {
    cancelAnimationFrame(this.#frame)
    this.audio.pause()
    this.audio.removeAttribute('src')
    this.audio.load()
  }
}

// Runs in the audio thread, for client.js: mixes what it hears into one channel, brings it to the rate asked for and posts it as
// 16-bit PCM, 50 ms at a time, with its level.

const CHUNK = 0.05 // s
const HALF = 16 // zero crossings of the filter on either side

/** Resamples by a windowed sinc, which keeps what is above the new Nyquist frequency from coming back as noise. */
class Resampler {
  constructor(from, to) {
    this.step = from / to
    this.cut = Math.min(1, to / from) * 0.95
    this.reach = Math.ceil(HALF / this.cut)
    this.input = new Float32Array(this.reach) // silence before the beginning
    this.at = this.reach // position of the next sample in input
    this.kernels = new Map()
  }

  /** The filter for a fraction of a sample. The rates of audio have few different ones. */
  kernel(fraction) {
    const name = Math.round(fraction * 1e6)
    let kernel = this.kernels.get(name)
    if (!kernel) {
      kernel = new Float32Array(2 * this.reach)
      for (let i = 0; i < kernel.length; i++) {
        const x = i - this.reach + 1 - fraction
        const u = Math.PI * x * this.cut
        const window = Math.abs(x) < this.reach ? Math.cos((Math.PI * x) / (2 * this.reach)) ** 2 : 0
        kernel[i] = this.cut * (u === 0 ? 1 : Math.sin(u) / u) * window
      }
      if (this.kernels.size < 1000) this.kernels.set(name, kernel)
    }
    return kernel
  }

  /** Calls take with each sample that samples complete. */
  run(samples, take) {
    const joined = new Float32Array(this.input.length + samples.length)
    joined.set(this.input)
    joined.set(samples, this.input.length)
    for (; this.at + this.reach < joined.length; this.at += this.step) {
      const whole = Math.floor(this.at)
      const kernel = this.kernel(this.at - whole)
      let sum = 0
      for (let i = 0, j = whole - this.reach + 1; i < kernel.length; i++, j++) sum += kernel[i] * joined[j]
      take(sum)
    }
    const used = Math.min(joined.length, Math.floor(this.at) - this.reach)
    this.input = joined.slice(used)
    this.at -= used
  }
}

class Capture extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super()
    const rate = processorOptions.sampleRate
    this.resampler = rate === sampleRate ? null : new Resampler(sampleRate, rate)
    this.chunk = new Int16Array(Math.round(rate * CHUNK))
    this.filled = 0
    this.energy = 0
    this.peak = 0
    this.take = this.take.bind(this)
    this.port.onmessage = () => this.post()
  }

  take(sample) {
    const bounded = Math.max(-1, Math.min(1, sample))
    this.energy += bounded * bounded
    this.peak = Math.max(this.peak, Math.abs(bounded))
    this.chunk[this.filled++] = Math.round(bounded * 32767)
    if (this.filled === this.chunk.length) this.post()
  }

  post() {
    if (this.filled === 0) return
    const audio = this.chunk.slice(0, this.filled).buffer // PCM of the gateway is little-endian, as are all machines with a browser
    this.port.postMessage({ audio, rms: Math.sqrt(this.energy / this.filled), peak: this.peak }, [audio])
    this.filled = this.energy = this.peak = 0
  }

  process([channels]) {
    if (channels.length === 0) return true
    let mono = channels[0]
    if (channels.length > 1) mono = mono.map((_, i) => channels.reduce((sum, c) => sum + c[i], 0) / channels.length)
    if (this.resampler) this.resampler.run(mono, this.take)
    else mono.forEach(this.take)
    return true
  }
}

registerProcessor('steno-capture', Capture)

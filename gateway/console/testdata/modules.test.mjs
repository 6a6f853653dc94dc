// What the modules of the console compute, without a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Utterance } from '../web/components/utterance.js'
import { addonsIn } from '../web/lib/addons.js'
import { Conversation } from '../web/lib/conversation.js'
import { engineTrouble } from '../web/lib/engines.js'
import * as format from '../web/lib/format.js'
import * as comparison from '../web/pages/load/comparison.js'
import { SpeechEnds } from '../web/pages/sessions/speech-ends.js'
import { defaults, requestOf, wordsOf } from '../web/pages/talk/options.js'
import { whereItGoes } from '../web/pages/talk/privacy.js'
import { Timing } from '../web/pages/talk/timing.js'

const transcript = (id, start, text, is_final) => ({
  type: 'transcript',
  data: { id, is_final, utterance: { start, end: start + 1, channel: Number(id.slice(0, 2)), text: ' ' + text, confidence: 0.9, language: 'en', words: [{ word: ' ' + text, start, end: start + 1, confidence: 0.9 }] } },
})

test('a partial becomes a final in its place, once', () => {
  const c = new Conversation()
  assert.equal(c.take(transcript('00_00000000', 1, 'good', false)), 'partial')
  assert.equal(c.take(transcript('00_00000000', 1, 'good morning', false)), 'partial')
  assert.equal(c.take(transcript('00_00000000', 1, 'good morning.', true)), 'final')
  assert.equal(c.items[0].state, 'settling')
  assert.equal(c.take(transcript('00_00000000', 1, 'good morning.', true)), '', 'a final that is sent again')
  assert.equal(c.take(transcript('00_00000000', 1, 'good', false)), '', 'a partial that is late')
  assert.equal(c.finals, 1)
  assert.equal(c.text(), 'good morning.')
})

test('channels stand in the order in which they began', () => {
  const c = new Conversation()
  c.take(transcript('00_00000000', 5, 'second', true))
  c.take(transcript('01_00000000', 2, 'first', true))
  c.take(transcript('00_00000001', 9, 'third', false))
  c.divide('connection lost')
  assert.deepEqual(c.items.map((i) => i.text ?? i.utterance.text.trim()), ['first', 'second', 'connection lost', 'third'])
  assert.equal(c.voices.size, 2)
  c.end()
  assert.equal(c.items.length, 3, 'nothing is being said any more')
})

test('add-ons find their utterance; a failed one says why', () => {
  const c = new Conversation()
  c.take(transcript('00_00000000', 1, 'monday', true))
  c.take({ type: 'named_entity_recognition', data: { utterance_id: '00_00000000', results: [{ entity_type: 'DATE', text: 'monday', start: 1, end: 2 }] } })
  c.take({ type: 'sentiment_analysis', data: { utterance_id: '00_00000000', results: [{ sentiment: 'negative', emotion: 'frustrated' }] } })
  c.take({ type: 'translation', error: { message: 'too slow' }, data: { utterance_id: '00_00000000', target_language: 'fr' } })
  c.take({ type: 'translation', error: { message: 'gone' }, data: null })
  const [item] = c.items
  assert.equal(item.entities[0].entity_type, 'DATE')
  assert.equal(item.mood, 'negative, frustrated')
  assert.deepEqual(item.translations, [{ language: 'fr', text: undefined, error: 'too slow' }])
})

/** What is read of what a component without state shows. */
function read(shown) {
  if (Array.isArray(shown)) return shown.map(read).join('')
  if (shown === null || typeof shown !== 'object') return ['string', 'number'].includes(typeof shown) ? String(shown) : ''
  return read(typeof shown.type === 'function' ? shown.type(shown.props) : shown.props.children)
}

test('an utterance is shown as it is written, also where a script has no spaces', () => {
  const spoken = (words) => ({ start: 1, end: 2, channel: 0, language: 'zh', text: words.join(''), words: words.map((word, i) => ({ word, start: 1 + i / 10, end: 1.1 + i / 10, confidence: 0.9 })) })
  const entities = [{ entity_type: 'PRODUCT', text: 'Go 1.26', start: 1.2, end: 1.4 }]
  for (const words of [[' 我', '用', ' Go', ' 1.26。'], [' Good', ' morning.']]) {
    for (const state of ['partial', 'final']) {
      const utterance = spoken(words)
      assert.ok(read(Utterance({ utterance, state, entities })).endsWith(utterance.text.trim()), `${state}: ${read(Utterance({ utterance, state, entities }))}`)
    }
  }
})

test('a final takes as long as its message came after its speech ended, whichever of the two messages came first', () => {
  const ends = new SpeechEnds()
  const at = (seconds) => new Date(Date.UTC(2026, 2, 15, 12) + seconds * 1000).toISOString()
  const final = (id, start, created) => ends.take({ ...transcript(id, start, 'word', true), created_at: at(created) })
  ends.take({ type: 'speech_start', created_at: at(1.3), data: { channel: 1, time: 1.1 } })
  ends.take({ type: 'speech_start', created_at: at(1.1), data: { channel: 0, time: 1 } })
  ends.take({ type: 'speech_end', created_at: at(2.3), data: { channel: 1, time: 2.2 } })
  final('01_00000000', 1, 2.9)
  final('00_00000000', 1, 2.6)
  ends.take({ type: 'speech_end', created_at: at(2.6), data: { channel: 0, time: 2.05 } })
  final('00_00000000', 1, 9) // again
  final('00_00000001', 8, 9.5) // its end was not heard
  assert.deepEqual(ends.finals.map((f) => [f.id, Math.round(f.seconds * 10)]), [['01_00000000', 6], ['00_00000000', 5]])
  assert.equal(format.quantile([3, 1, 2], 0.5), 2)
  assert.equal(format.quantile([1], 0.95), 1)
})

test('requests say what is not usual, and nothing else', () => {
  const plain = requestOf({ ...defaults, endpointing: 0.05, longest: 5 })
  assert.deepEqual(Object.keys(plain), ['encoding', 'bit_depth', 'sample_rate', 'channels', 'messages_config'])
  const full = requestOf({ ...defaults, languages: ['en', 'fr'], translation: true, targets: [], vocabulary: true, words: 'Alder Point, Kestrel\n\nKestrel', summary: true })
  assert.deepEqual(full.language_config, { languages: ['en', 'fr'], code_switching: true })
  assert.deepEqual(full.realtime_processing, { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ['Alder Point', 'Kestrel'] } }, 'a translation needs a target')
  assert.deepEqual(full.post_processing, { summarization: true })
  const schema = { properties: { long_words: { 'x-addon': true, description: 'List them' }, translation: {} } }
  const more = addonsIn({ components: { schemas: { RealtimeProcessingInput: schema } } })
  assert.deepEqual(more, [{ name: 'long_words', place: 'realtime_processing', doc: 'List them' }])
  assert.deepEqual(requestOf({ ...defaults, sentiment: true, more: { long_words: 'realtime_processing' } }).realtime_processing, { sentiment_analysis: true, long_words: true })
  assert.deepEqual(wordsOf(' \n,'), [])
})

test('where audio goes is told', () => {
  const models = { models: [{ model: 'stt-1', engines: [{ name: 'sphinx', local: true }] }], addons: [{ name: 'translation', by: ['libretranslate'] }] }
  assert.equal(whereItGoes(null, defaults), '')
  assert.equal(whereItGoes(models, defaults), 'Audio goes to this server and no further.')
  assert.equal(whereItGoes(models, { ...defaults, translation: true }), 'Audio goes to this server and no further. Words go on to libretranslate.')
  models.models[0].engines.push({ name: 'cloud', local: false })
  assert.equal(whereItGoes(models, defaults), 'Audio goes to this server, which passes it on to cloud.')
})

test('delays count from when the audio was heard', () => {
  const t = new Timing(32_000)
  for (let i = 1; i <= 100; i++) t.heard(i * 1600, i * 50)
  t.acked(1600 * 10, 520)
  t.said('partial', 2, 2150)
  t.said('final', 2, 2400)
  t.said('final', 60, 9000) // not heard here
  assert.deepEqual(t.medians, { ack: 20, partial: 150, final: 400 })
  t.forget()
  assert.deepEqual(t.medians, { ack: null, partial: null, final: null })
})

test('formats', () => {
  assert.equal(format.clock(37.96, 1), '0:37.9')
  assert.equal(format.clock(3725), '1:02:05')
  assert.equal(format.clock(59.999), '0:59')
  assert.equal(format.clock(5.5, 3), '0:05.500')
  assert.deepEqual([0.42, 59, 60, 200, 7500, 7200].map(format.length), ['0.4 s', '59 s', '1 min', '3 min 20 s', '2 h 5 min', '2 h'])
  assert.equal(format.listed(['a', 'b', 'c']), 'a, b and c')
  assert.equal(format.several(1, 'ack') + format.several(1234, 'ack'), '1 ack1,234 acks')
  assert.equal(format.day('2026-03-14T12:00:00Z', new Date('2026-03-15T12:00:00Z')), 'yesterday')
  assert.equal(format.day('2026-03-16T12:00:00Z', new Date('2026-03-15T12:00:00Z')), 'tomorrow')
  assert.equal(format.bytes(1536) + format.bytes(12), '1.5 KB12 bytes')
})

let Processor

/** What the worklet posts of a tone, and of how many samples that were heard at a rate. */
async function captured(from, to, frequency, seconds) {
  const posted = []
  globalThis.sampleRate = from
  globalThis.AudioWorkletProcessor ??= class {
    port = { postMessage() {} }
  }
  globalThis.registerProcessor ??= (_, found) => (Processor = found)
  await import('../web/client/worklet.js')
  const processor = new Processor({ processorOptions: { sampleRate: to } })
  processor.port.postMessage = (m) => posted.push(m)
  for (let at = 0; at < from * seconds; at += 128) {
    processor.process([[Float32Array.from({ length: 128 }, (_, i) => 0.5 * Math.sin((2 * Math.PI * frequency * (at + i)) / from))]])
  }
  return Int16Array.from(posted.flatMap((m) => [...new Int16Array(m.audio)]))
}

/** The amplitude of a frequency in samples, 1 for full scale. */
function amplitude(samples, rate, frequency) {
  let re = 0
  let im = 0
  samples.forEach((s, i) => {
    re += s * Math.cos((2 * Math.PI * frequency * i) / rate)
    im += s * Math.sin((2 * Math.PI * frequency * i) / rate)
  })
  return (2 * Math.hypot(re, im)) / samples.length / 32767
}

test('the worklet keeps what is heard, and lets nothing fold back', async () => {
  for (const from of [16_000, 44_100, 48_000]) {
    const tone = (await captured(from, 16_000, 1000, 1)).subarray(1600)
    assert.ok(Math.abs(amplitude(tone, 16_000, 1000) - 0.5) < 0.01, `1 kHz from ${from}: ${amplitude(tone, 16_000, 1000)}`)
    assert.ok(tone.length > 13_500 && tone.length <= 14_400, `${tone.length} samples`)
    if (from === 16_000) continue
    const folded = (await captured(from, 16_000, 11_000, 1)).subarray(1600)
    assert.ok(amplitude(folded, 16_000, 5000) < 0.001, `11 kHz from ${from} comes back as 5 kHz: ${amplitude(folded, 16_000, 5000)}`)
  }
})

test('two reports are told apart in a sentence', () => {
  const report = (p95, capacity) => ({
    started: '2026-03-15T12:00:00Z', sessions: 8, done: 8, failed: 0, audio_seconds: 60, chunk_seconds: 0.1, finals: 9, partials: 9,
    load: { url: 'https://speech.example', recordings: 1, audio: 'wav/pcm', silence: 0, jitter_seconds: 0, drop_every_seconds: 0, seed: 1 },
    delays: { final: { count: 9, p50: p95 / 2, p95 } }, generator: {}, capacity,
  })
  const said = (before, now) => comparison.verdict(before, now).join('')
  assert.equal(said(report(0.4, { sessions: 8 }), report(0.4, { sessions: 8 })), 'It carries 8 people, as many as before.')
  assert.equal(said(report(0.4, { sessions: 8 }), report(0.4, { sessions: 6 })), 'It carries 6 people, 2 fewer than before.')
  assert.equal(said(report(0.4), report(0.3)), 'Finals come 25 % sooner than before.')
  assert.equal(said(report(0.4), report(0.5, { sessions: 6 })), 'Finals come 25 % later than before.')
  assert.equal(said(report(0.4), report(0.401)), 'Finals come as soon as before.')
  assert.equal(said(report(0.4), { ...report(0.4), generator: { saturated: 'late' } }), 'One of these reports cannot say what its server carries.')
  assert.equal(comparison.unlike(report(1), report(2)), '')
  const quiet = report(1)
  quiet.load = { ...quiet.load, silence: 0.5, audio: 'wav/ulaw' }
  assert.match(comparison.unlike(report(1), quiet), /^Audio and pauses added differ, so/)
  const later = { ...report(1), started: '2026-03-16T12:00:00Z' }
  assert.equal(comparison.inOrder({ report: later }, { report: report(1) }).now.report, later)
  assert.equal(comparison.changeText(comparison.change(0.2, 0.1)), '−50 %')
  assert.equal(comparison.changeText(comparison.change(0, 0.1)), '–')
})

test('engines that are away are told of where that matters', () => {
  const engine = (name, available, languages = ['en'], models = [{ name: 'model' }]) => ({ name, available, languages, models })
  const models = (...engines) => ({ models: [{ model: 'stt-1', default: true, engines }] })
  const trouble = (known, ...languages) => engineTrouble(known, 'stt-1', languages)
  assert.equal(trouble(null), null, 'nothing is known')
  assert.equal(trouble(models(engine('sherpa', true), engine('sphinx', false))), null, 'the preferred one is there')
  assert.deepEqual(trouble(models(engine('sherpa', false), engine('sphinx', true))), { is: 'stand-in', away: 'sherpa', by: 'sphinx' })
  const german = models(engine('sherpa', false, ['de', 'en']), engine('sphinx', true))
  assert.deepEqual(trouble(german, 'de'), { is: 'none', languages: ['de'] })
  assert.equal(trouble(german, 'en').is, 'stand-in')
  assert.equal(trouble(models(engine('sherpa', true, ['fr'])), 'de'), null, 'no engine was ever for it')
  assert.equal(trouble(models(engine('sherpa', false, []))).is, 'none')
  assert.equal(trouble(models(engine('sherpa', true, [], []), engine('sphinx', true))), null, 'one without a model is not missed')
})

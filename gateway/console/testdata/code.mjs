// Prints the samples of the panel Code for a session with most options, as JSON by language: the task has the address
import { defaults, requestOf } from '../web/pages/talk/options.js'
import { samples, textOf } from '../web/pages/talk/samples.js'

const request = requestOf({
  ...defaults, languages: ['en', 'fr'], endpointing: 0.2, longest: 10, threshold: 0.5, enhance: true, entities: true, sentiment: true, speakers: true,
  vocabulary: true, words: `Alder Point\nO'Neill "the elder" \\ son\ncafé`, summary: true, chapters: true,
})
const written = Object.fromEntries(Object.entries(samples).map(([language, write]) => [language, textOf(write(request, JSON.parse(process.argv[2]).address))]))
console.log(JSON.stringify({ request, ...written }))

// Runs samples one after the other, each a module, and prints a line of JSON for each: its name, what it printed, its error.
//
// The only argument is a JSON array of {name, file, env}; file is a path.
import { pathToFileURL } from 'node:url'

const print = process.stdout.write.bind(process.stdout)
for (const { name, file, env } of JSON.parse(process.argv[2])) {
  Object.assign(process.env, env)
  let said = '', error = ''
  console.log = (...values) => { said += values.map((v) => typeof v === 'object' ? JSON.stringify(v) : v).join(' ') + '\n' }
  process.stdout.write = (text) => { said += text; return true }
  await import(pathToFileURL(file)).catch((e) => { error = String(e) })
  print(JSON.stringify({ name, said, error }) + '\n')
}

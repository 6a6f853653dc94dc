// Builds what the gateway serves as the console: dist/console.js with the three libraries in it, dist/console.css. The locked
// versions and the sources decide every byte, so that a test can compare. Another folder may be named: node build.js FOLDER
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'dist'))

const licences = ['preact', 'htm', 'uplot'].map((name) => {
  const at = join(here, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
  return `/*! ${name} ${version}\n${readFileSync(join(at, 'LICENSE'), 'utf8').trim()}\n*/`
})

// The page loads the client that everybody is served, at its own address.
const client = {
  name: 'client',
  setup: (b) => b.onResolve({ filter: /^steno:client$/ }, () => ({ path: '../client.js', external: true })),
}

await build({
  absWorkingDir: here,
  entryPoints: { console: 'web/main.js' },
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  charset: 'utf8',
  legalComments: 'none',
  footer: { js: licences.join('\n') },
  plugins: [client],
  logLevel: 'warning',
})

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

/*
 * Fetches the packages that only tests, lint and benches need, where one of them is missing. `npm install` leaves them out
 * (.npmrc): they are more than half of what it would fetch.
 */

const root = join(import.meta.dirname, '../..')
const missing = Object.keys(manifest.devDependencies).filter(
  (name) => !existsSync(join(root, 'node_modules', name)),
)
if (missing.length > 0) {
  process.stderr.write(`Fetching ${missing.length} packages that tests and lint need, and their own: once\n`)
  const { status } = spawnSync(
    'npm',
    ['install', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  )
  process.exitCode = status ?? 1
}

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'

/*
 * The suites that kill, again and again, each time with the next seed, until the time is up or one fails:
 * npm run soak -- [--minutes 60] [--seed <the first>] [--rounds <of kills, in those of one machine>] [words of their paths …]
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string' },
  },
})
const [minutes, first] = [Number(values.minutes), Number(values.seed)]
if (!(minutes >= 0) || !Number.isSafeInteger(first))
  throw new Error('--minutes and --seed are numbers, from 0 on')

const suites = [
  ...globSync('test/e2e/**/crash.integration.test.ts'),
  ...['killed-nodes', 'matching', 'research', 'ingest', 'indexing'].map(
    (name) => `test/integration/nodes/${name}.integration.test.ts`,
  ),
  'test/integration/judges/ingest-kills.integration.test.ts',
  'test/e2e/ingest/killed-uploads.integration.test.ts',
  'test/infra/views/sqlite/copies.integration.test.ts',
  'test/e2e/indexing/soak.integration.test.ts',
  'test/integration/judges/fuzz-archives.integration.test.ts',
].filter((path) => positionals.length === 0 || positionals.some((word) => path.includes(word)))
if (suites.length === 0) throw new Error(`no suite that kills is named ${positionals.join(', ')}`)

const ended = performance.now() + minutes * 60_000
let seed = first
do {
  for (const suite of suites) {
    console.log(`\n${suite}: seed ${seed}`)
    const { status, signal } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.integration.config.ts', suite],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          FONDS_TEST_SEED: String(seed),
          ...(values.rounds !== undefined && { FONDS_TEST_ROUNDS: values.rounds }),
        },
      },
    )
    if (status === 0) continue
    const rounds = values.rounds === undefined ? '' : ` --rounds ${values.rounds}`
    console.log(
      `failed${signal ? ` by ${signal}` : ''}; again: npm run soak -- --minutes 0 --seed ${seed}${rounds} ${suite}`,
    )
    process.exit(1)
  }
  seed++
} while (performance.now() < ended)
console.log(`\n${suites.length} suites with ${seed - first} seeds, from ${first} on: nothing failed`)

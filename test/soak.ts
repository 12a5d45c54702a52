import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { type Figures, figuresIn, none, sum } from './e2e/crash/figures.ts'

/*
 * The suites that kill, or are larger here, again and again, each time with the next seed, until the time is up and so many kills are made, or one fails:
 * npm run soak -- [--minutes 60] [--kills 0] [--seed <the first>] [--rounds <of kills, in those that count them>] [words of their paths …]
 * SIGINT and SIGTERM end it behind the suite that runs, with the table; a second one ends that suite too.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string' },
  },
})
const [minutes, kills, first] = [Number(values.minutes), Number(values.kills), Number(values.seed)]
if (!(minutes >= 0) || !(kills >= 0) || !Number.isSafeInteger(first))
  throw new Error('--minutes, --kills and --seed are numbers, from 0 on')

const isNamed = (path: string): boolean => positionals.some((word) => path.includes(word))
const suites = [
  ...globSync('test/e2e/**/crash.integration.test.ts'),
  ...[
    ...['chaos', 'garbage-records', 'killed-nodes', 'log-away'],
    ...['matching', 'research', 'ingest', 'indexing'],
  ].map((name) => `test/integration/nodes/${name}.integration.test.ts`),
  ...['ingest-kills', 'ocfl', 'ocfl-in-buckets'].map(
    (name) => `test/integration/judges/${name}.integration.test.ts`,
  ),
  'test/e2e/ingest/killed-uploads.integration.test.ts',
  'test/e2e/ingest/many-files.integration.test.ts',
  'test/integration/judges/readers.integration.test.ts',
  'test/e2e/indexing/soak.integration.test.ts',
  'test/integration/judges/fuzz-archives.integration.test.ts',
].filter((path) => positionals.length === 0 || isNamed(path))
/** Takes a night by itself, so that it must be named. */
const growing = 'test/e2e/growing.integration.test.ts'
if (isNamed(growing)) suites.push(growing)
if (suites.length === 0) throw new Error(`no suite that kills is named ${positionals.join(', ')}`)

const env = {
  ...process.env,
  FONDS_TEST_SOAK: 'yes',
  FONDS_TEST_GARBAGE: process.env.FONDS_TEST_GARBAGE ?? '30000',
  ...(values.rounds !== undefined && { FONDS_TEST_ROUNDS: values.rounds }),
}

let stopped = false
let child: ChildProcessByStdio<null, Readable, null> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopped) child?.kill()
    else console.log('ends behind this suite')
    stopped = true
  })

/** Shows what it says, and gives it, with how it ended. */
const run = async (suite: string, seed: number) => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.integration.config.ts', suite]
  child = spawn(process.execPath, vitest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: Ctrl-C is for us.
    detached: true,
    env: { ...env, FONDS_TEST_SEED: String(seed) },
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    process.stdout.write(chunk)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { said, code, signal }
}

const found = new Map<string, Figures>()
const total = () => [...found.values()].reduce(sum, none)
const tell = (seeds: string) => {
  const table = new Table({
    head: ['suite', 'kills', 'acknowledged', 'lost', 'doubled'],
    style: { head: [] },
  })
  const row = (name: string, { kills, acknowledged, lost, doubled }: Figures) =>
    table.push([name, kills, acknowledged, lost, doubled])
  for (const [suite, figures] of found) row(suite.replace(/^test\/|\.integration\.test\.ts$/g, ''), figures)
  row('all', total())
  console.log(`\n${table}\n${seeds}`)
}

const ended = performance.now() + minutes * 60_000
let seed = first
do {
  for (const suite of suites) {
    if (stopped) break
    console.log(`\n${suite}: seed ${seed}`)
    const { said, code, signal } = await run(suite, seed)
    found.set(suite, sum(found.get(suite) ?? none, figuresIn(said)))
    if (code === 0) continue
    tell(`seeds ${first} to ${seed}`)
    const rounds = values.rounds === undefined ? '' : ` --rounds ${values.rounds}`
    console.log(
      `failed${signal ? ` by ${signal}` : ''}; again: npm run soak -- --minutes 0 --seed ${seed}${rounds} ${suite}`,
    )
    process.exit(1)
  }
  seed++
} while (!stopped && (performance.now() < ended || total().kills < kills))
tell(`seeds ${first} to ${seed - 1}${stopped ? ', stopped before its end' : ''}: nothing failed`)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run, useFolder } from '../e2e/run-fonds.ts'

/* What a start of `fonds` loads is most of what it costs: some 0.4 ms of processor for each module. */

const root = pathToFileURL(join(import.meta.dirname, '../..')).href
const preload = pathToFileURL(join(import.meta.dirname, 'list-modules.ts')).href
/** The modules that a real process loads, as paths in the project, and Node's own. */
const loadedBy = async (...argv: readonly string[]): Promise<readonly string[]> => {
  const folder = useFolder()
  const list = join(folder.folder, 'modules.txt')
  const env = { NODE_OPTIONS: `--import=${preload}`, LOADED_MODULES: list }
  const { code, stderr } = await run(argv, { home: folder.home, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const urls = readFileSync(list, 'utf8').split('\n')
  return urls.flatMap((url) =>
    url.startsWith('node:') ? [url] : url.startsWith('file:') ? [url.slice(root.length + 1)] : [],
  )
}

const ofFiles = (modules: readonly string[]) => modules.filter((path) => !path.startsWith('node:'))

const packagesIn = (modules: readonly string[]) =>
  new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))

/** Of servers and clients, and of what only processes that stay need. */
const heavy = [
  '@eventstore/db-client',
  '@grpc/grpc-js',
  '@opentelemetry/api',
  'cli-progress',
  'cli-table3',
  'csv-stringify',
  'fastify',
  'kafkajs',
  'nodemailer',
  'pino',
  'prom-client',
  'protobufjs',
  'undici',
]

/** Everything but the reading side. */
const writing =
  /^(src\/(api|workers\/(fixity|research)|processors\/(fixity|indexing|ingest|matching|research))|infra\/(gateway|object-store))\//

test.each([
  [['--version'], 114],
  [['--help'], 114],
  [['query', '--help'], 92],
  [['query'], 488],
  [['query', 'fixity-items'], 304],
  [['events'], 231],
  [['produce', 'fonds.fixity.content'], 530],
] as const)('%j loads at most %i modules', async (argv, most) => {
  const modules = await loadedBy(...argv)
  expect(modules).toContain('src/cli/program.ts')
  expect(ofFiles(modules).length).toBeLessThanOrEqual(most)
  expect([...packagesIn(modules)].filter((name) => heavy.includes(name))).toEqual([])
  expect(modules.filter((path) => writing.test(path))).toEqual([])
  expect(modules.filter((path) => /^node:(tls|process|util|child_process)$/.test(path))).toEqual([])
})

test('a view and a question load no model of another workflow, no topics, no cryptography', async () => {
  const others = /^src\/workflows\/(indexing|ingest|matching|research|people)\/model\.ts$/
  for (const argv of [['query', 'fixity-items'], ['fixity', 'report'], ['events']]) {
    const modules = await loadedBy(...argv)
    expect(modules.filter((path) => others.test(path))).toEqual([])
    expect(
      modules.filter((path) => /^node:(crypto|worker_threads)$|^infra\/broker\/embedded\/broker/.test(path)),
    ).toEqual([])
  }
})

test('a question loads no workflow, and of its own the model', async () => {
  const modules = await loadedBy('fixity', 'report')
  expect(modules).toContain('src/workflows/fixity/model.ts')
  expect(modules).toContain('src/projections/fixity/questions/report-question.ts')
  expect(modules).not.toContain('src/projections/fixity/questions/period-question.ts')
  expect(ofFiles(modules).length).toBeLessThanOrEqual(342)
  expect(
    modules.filter((path) => /^src\/(workflows\/(all|[^/]+\/workflow)\.ts|processors\/fixity\/)/.test(path)),
  ).toEqual([])
  expect(modules.filter((path) => writing.test(path))).toEqual([])
})

test.each([
  [['fixity', '--help', 'report']],
  [['help', 'fixity', 'report']],
  [['--home', 'fixity', 'fixity', '--help']],
] as const)('%j lists all sub-commands', async (argv) => {
  const { code, stdout } = await run(argv, { home: useFolder().home })
  expect(code).toBe(0)
  for (const name of ['add', 'report', 'period']) expect(stdout).toMatch(new RegExp(`^ +${name} `, 'm'))
})

test.each([
  [['--home', 'query', 'evnts'], 'events'],
  [['qurey', 'events'], 'query'],
  [['fixity', 'repor'], 'report'],
] as const)('%j is no command, and the nearest one is named', async (argv, nearest) => {
  const { code, stderr } = await run(argv, { home: useFolder().home })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`Did you mean ${nearest}?`) })
})

test('a command that needs the whole system loads no questions', async () => {
  const modules = await loadedBy('topics')
  expect(modules).toContain('src/open-system.ts')
  expect(ofFiles(modules).length).toBeLessThanOrEqual(1157)
  expect(modules.filter((path) => /^src\/projections\/.*-question\.ts$/.test(path))).toEqual([])
})

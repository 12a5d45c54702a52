import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run, useFolder } from '../e2e/run-fonds.ts'

/* What a start of `fonds` loads is most of what it costs: some 0.4 ms of processor for each module. */

const root = pathToFileURL(join(import.meta.dirname, '../..')).href
const preload = pathToFileURL(join(import.meta.dirname, 'list-modules.ts')).href
/** The modules that a real process loads, as paths in the project. */
const loadedBy = async (...argv: readonly string[]): Promise<readonly string[]> => {
  const folder = useFolder()
  const list = join(folder.folder, 'modules.txt')
  const env = { NODE_OPTIONS: `--import=${preload}`, LOADED_MODULES: list }
  const { code, stderr } = await run(argv, { home: folder.home, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const urls = readFileSync(list, 'utf8').split('\n')
  return urls.filter((url) => url.startsWith('file:')).map((url) => url.slice(root.length + 1))
}

const packagesIn = (modules: readonly string[]) =>
  new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))

/** Of servers and clients, and of what only processes that stay need. */
const heavy = [
  '@eventstore/db-client',
  '@grpc/grpc-js',
  '@opentelemetry/api',
  'fastify',
  'kafkajs',
  'nodemailer',
  'prom-client',
  'protobufjs',
  'undici',
]

/** Everything but the reading side. */
const writing =
  /^(src\/(api|workers\/(fixity|research)|processors\/(fixity|indexing|ingest|matching|research))|infra\/(gateway|object-store))\//

test.each([
  [['--version'], 125],
  [['--help'], 125],
  [['query', '--help'], 125],
  [['query'], 620],
  [['query', 'fixity-items'], 620],
  [['events'], 605],
  [['produce', 'fonds.fixity.content'], 620],
] as const)('%j loads at most %i modules', async (argv, most) => {
  const modules = await loadedBy(...argv)
  expect(modules).toContain('src/cli/program.ts')
  expect(modules.length).toBeLessThanOrEqual(most)
  expect([...packagesIn(modules)].filter((name) => heavy.includes(name))).toEqual([])
  expect(modules.filter((path) => writing.test(path))).toEqual([])
})

test('a question loads its workflow, and of the others only what they show', async () => {
  const modules = await loadedBy('fixity', 'report')
  expect(modules).toContain('src/workflows/fixity/workflow.ts')
  expect(modules.length).toBeLessThanOrEqual(840)
  expect(
    modules.filter((path) =>
      /^src\/workflows\/(all|(indexing|ingest|matching|research)\/workflow)\.ts$/.test(path),
    ),
  ).toEqual([])
  expect(
    modules.filter((path) => /^src\/(api|processors\/(indexing|ingest|matching|research))\//.test(path)),
  ).toEqual([])
})

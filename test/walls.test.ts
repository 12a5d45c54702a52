import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circles, crossings, loadedBy, specifiersOf } from './walls.ts'

const root = join(import.meta.dirname, '..')

const exportedValue = /^export (?:default|const|let|function|class|async|enum)\b|^export \{/m

describe('ports', () => {
  it('are types alone', () => {
    const ports = globSync('src/ports/*.ts', { cwd: root })
    expect(ports.length).toBeGreaterThan(8)
    expect(ports.filter((file) => exportedValue.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it.each(['export const x = 1', 'export class X {}', "export { x } from './x.ts'"])('not: %s', (text) => {
    expect(exportedValue.test(text)).toBe(true)
  })
})

describe('imports', () => {
  const textsOf = (...patterns: readonly string[]) =>
    new Map(
      globSync(patterns, { cwd: root })
        .filter((file) => !file.startsWith('infra/local/'))
        .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
    )
  const sources = ['src/**/*.ts', 'infra/**/*.ts', 'packages/*/src/**/*.ts']

  it('run one way', () => {
    const texts = textsOf(...sources)
    expect(texts.size).toBeGreaterThan(500)
    expect(crossings(texts)).toEqual([])
  })

  it('go in no circle, types included', () => {
    const texts = textsOf(...sources, 'dashboard/src/**/*.{ts,tsx}')
    expect(texts.size).toBeGreaterThan(700)
    expect(circles(texts)).toEqual([])
  })

  it('of three files in a circle are found, and a fourth that is behind them is not', () => {
    const texts = new Map([
      ['src/a.ts', "import type { B } from './b.ts'"],
      ['src/b.ts', "import { c } from './c.ts'\nimport { d } from './d.ts'"],
      ['src/c.ts', "const a = await import('./a.ts')"],
      ['src/d.ts', ''],
    ])
    expect(circles(texts)).toEqual(['src/a.ts, src/b.ts, src/c.ts'])
  })

  it.each([
    ['a workflow that imports another', 'src/domain/fixity/x.ts', '../matching/work.ts'],
    [
      'a workflow whose processor imports another',
      'src/processors/fixity/x.ts',
      '../../domain/research/terms.ts',
    ],
    ['a kernel that imports a workflow', 'src/domain/kernel/x.ts', '../fixity/item.ts'],
    ['a runtime that imports a workflow', 'src/processors/runtime/x.ts', '../matching/matcher.ts'],
    ['an HTTP client that imports a workflow', 'src/workers/http/x.ts', '../research/recording.ts'],
    ['domain that imports a port', 'src/domain/fixity/x.ts', '../../ports/clock.ts'],
    ['domain that imports infra', 'src/domain/kernel/x.ts', '#infra/sqlite/database.ts'],
    ['a port that imports a processor', 'src/ports/x.ts', '../processors/runtime/execute.ts'],
    [
      'a processor that imports a projection',
      'src/processors/fixity/x.ts',
      '../../projections/fixity/projection.ts',
    ],
    ['a processor that imports app', 'src/processors/fixity/x.ts', '../../app/system.ts'],
    ['a projection that imports app', 'src/projections/fixity/x.ts', '../../app/system.ts'],
    ['a worker that imports app', 'src/workers/fixity/x.ts', '../../app/system.ts'],
    ['a worker that imports a processor', 'src/workers/fixity/x.ts', '../../processors/fixity/claims.ts'],
    ['a workflow file that imports app', 'src/workflows/fixity/x.ts', '../../app/system.ts'],
    ['a shared file that imports a workflow', 'src/workflows/x.ts', './fixity/workflow.ts'],
    ['a workflow that imports the HTTP of another', 'src/workflows/fixity/x.ts', '../ingest/http/steps.ts'],
    ['app that imports the command line', 'src/app/x.ts', '../cli/program.ts'],
    ['app that imports infra', 'src/app/x.ts', '../../infra/sqlite/database.ts'],
    ['cli that imports api', 'src/cli/x.ts', '../api/about.ts'],
    ['api that imports cli', 'src/api/x.ts', '../cli/program.ts'],
    ['app that names a workflow', 'src/app/x.ts', '../workers/ingest/sites.ts'],
    ['a port that names a workflow', 'src/ports/x.ts', '../domain/ingest/room.ts'],
    ['the command line that names a workflow', 'src/cli/doctor/x.ts', '../../workflows/fixity/measure.ts'],
    ['a workflow’s command line that names another', 'src/cli/fixity/x.ts', '../ingest/register.ts'],
    ['async that names a workflow', 'src/async/x.ts', '../domain/ingest/room.ts'],
    ['what opens a system and names a workflow', 'src/open-system.ts', './workflows/ingest/context.ts'],
    ['api that names a workflow', 'src/api/routes/x.ts', '../../projections/fixity/questions/report.ts'],
    ['infra that imports a workflow', 'infra/sqlite/x.ts', '../../src/domain/fixity/item.ts'],
    ['infra that imports app', 'infra/sqlite/x.ts', '../../src/app/system.ts'],
    ['a package that imports a room', 'packages/sound/src/x.ts', '../../../src/async/errors.ts'],
    ['a package that imports infra', 'packages/sound/src/x.ts', '#infra/sqlite/database.ts'],
    ['a package that imports the file of another', 'packages/sound/src/x.ts', '../../bytes/src/bytes.ts'],
    ['a package that imports one above it', 'packages/bytes/src/x.ts', '@fonds/sound'],
    ['a package that imports its own entry', 'packages/sound/src/x.ts', '@fonds/sound'],
    ['a package that nobody knows', 'packages/utilities/src/x.ts', '@fonds/bytes'],
    ['a room that imports the file of a package', 'src/async/x.ts', '../../packages/bytes/src/bytes.ts'],
    ['domain that imports what does I/O', 'src/domain/research/x.ts', '@fonds/sound/search'],
    ['a room that nobody knows', 'src/utilities/x.ts', '../domain/kernel/time.ts'],
  ])('refuse %s', (_, file, target) => {
    const planted = (text: string) => crossings(new Map([[file, text]]))
    expect(planted(`import { x } from '${target}'`)).toHaveLength(1)
    expect(planted(`import type { x } from '${target}'`)).toHaveLength(1)
    expect(planted(`const x = await import('${target}')`)).toHaveLength(1)
    expect(planted(`new Worker(new URL('${target}', import.meta.url))`)).toHaveLength(1)
  })
})

describe('packages', () => {
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) => join(file, '..'))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')

  it.each(packages)('%s: its entry . does no I/O, and loads nothing of npm', (folder) => {
    expect(loadedBy(`${folder}/src/index.ts`, read)).toEqual([])
  })

  it('an entry that does I/O is found, however far away', () => {
    const files: Readonly<Record<string, string>> = {
      'packages/x/src/index.ts': "import type { A } from './a.ts'\nexport { b } from './b.ts'",
      'packages/x/src/a.ts': "import 'node:net'",
      'packages/x/src/b.ts': "import {\n  c,\n} from './c.ts'",
      'packages/x/src/c.ts': "import { read } from 'node:fs'\nimport './b.ts'",
    }
    expect(loadedBy('packages/x/src/index.ts', (file) => files[file] ?? '')).toEqual([
      'packages/x/src/c.ts: node:fs',
    ])
  })

  it.each(packages)('%s names all that it imports of npm in its package.json', (folder) => {
    const { name, dependencies = {} } = JSON.parse(read(`${folder}/package.json`))
    expect(name).toBe(`@fonds/${folder.slice('packages/'.length)}`)
    const imported = globSync(`${folder}/src/**/*.ts`, { cwd: root, exclude: ['**/*.d.ts'] }).flatMap(
      (file) => specifiersOf(read(file)).filter((specifier) => /^(?!node:)[@a-z]/.test(specifier)),
    )
    const named = new Set(imported.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]))
    expect([...named].sort()).toEqual(Object.keys(dependencies).sort())
  })
})

import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Line, launch, linesOf, run, startServer, until, useFolder } from '../e2e/run-fonds.ts'
import { crossings, workflows } from '../walls.ts'

/*
 * A workflow more, loans, laid over a copy of the sources: `src/` beside this file has a file or two for each room, and two lists name
 * it. Nothing else of Fonds knows of it, and all that people and programs see of Fonds has it.
 */

const repository = join(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'fonds-sixth-'))
const program = join(project, 'bin/fonds')

/** The changes of each list. */
const listed = {
  'src/workflows/declared.ts': [
    [
      '  settings: {',
      "  loans: {\n    summary: 'which originals are in the reading room?',\n" +
        "    model: async () => (await import('./loans/workflow.ts')).loansWorkflow,\n" +
        "    workflow: async () => (await import('./loans/workflow.ts')).loansWorkflow,\n  },\n  settings: {",
    ],
  ],
  'src/workflows/settings.ts': [
    [
      'import { researchSettings',
      "import { loansSettings } from './loans/settings.ts'\nimport { researchSettings",
    ],
    ['  ...indexingSettings,\n', '  ...indexingSettings,\n  ...loansSettings,\n'],
  ],
} as const

beforeAll(() => {
  for (const name of ['src', 'infra', 'bin', 'package.json'])
    cpSync(join(repository, name), join(project, name), { recursive: true })
  for (const name of ['node_modules', 'packages']) symlinkSync(join(repository, name), join(project, name))
  cpSync(join(import.meta.dirname, 'src'), join(project, 'src'), { recursive: true })
  for (const [file, changes] of Object.entries(listed)) {
    let text = readFileSync(join(project, file), 'utf8')
    for (const [before, after] of changes) {
      expect(text.split(before)).toHaveLength(2)
      text = text.replace(before, after)
    }
    writeFileSync(join(project, file), text)
  }
  const include = ['src', 'infra/**/*.d.ts', 'packages/*/src/**/*.d.ts']
  const { compilerOptions } = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'))
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

const useSixth = () => ({ ...useFolder(), program })
const by = ['--actor', 'bob', '--reason', 'a test']
const order = (item: string, time: string) =>
  `${JSON.stringify({ type: 'item.ordered', time, data: { item, reader: 'ada' } })}\n`

describe('a sixth workflow', () => {
  it('touches its own folders, one a room, and two lists', () => {
    const sources = (root: string) => {
      const files = globSync(['src/**/*.ts', 'infra/**/*.ts'], {
        cwd: root,
        exclude: ['infra/local/**'],
      }).sort()
      return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
    }
    const [before, after] = [sources(repository), sources(project)]
    const changed = [...after.keys()].filter((file) => before.get(file) !== after.get(file))
    expect(changed.filter((file) => !/^src\/[a-z]+\/loans\/[^/]+$/.test(file))).toEqual(Object.keys(listed))
    expect(new Set(changed.map((file) => file.split('/')[1])).size).toBe(5)
    expect(crossings(after, [...workflows, 'loans'])).toEqual([])
  })

  it('fits the types of the lists', async () => {
    const { stdout, exit } = launch(join(project, 'node_modules/.bin/tsc'), ['--noEmit', '-p', project])
    expect([await exit, stdout()]).toEqual([0, ''])
  })

  it('takes messages, works, answers, and is seen by whoever runs Fonds', async () => {
    const given = useSixth()
    const fonds = (...args: readonly string[]) => ask(args, given)
    const server = await startServer(given)
    const get = async (path: string): Promise<Line> => (await fetch(`${server.address}${path}`)).json()
    const slips = async () => (await fonds('query', 'loans')).map(({ item, slip }) => [item, slip])

    await ask(['produce', 'fonds.loans.orders', '--wait'], {
      ...given,
      stdin: order('Ms. 12', '2020-01-01T00:00:00.000Z'),
    })
    const posted = await fetch(`${server.address}/api/v1/topics/fonds.loans.orders/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'item.ordered', data: { item: 'Ms. 13', reader: 'cy' } }),
    })
    expect(posted.ok).toBe(true)
    await until(
      'both have a slip',
      async () => (await slips()).filter(([, slip]) => slip !== null).length === 2,
    )
    expect(readdirSync(join(given.home, 'slips')).sort()).toEqual(['Ms.%2012.txt', 'Ms.%2013.txt'])

    const overdue = [{ item: 'Ms. 12', reader: 'ada', due: '2020-01-15T00:00:00.000Z' }]
    expect(await fonds('loans', 'overdue')).toEqual(overdue)
    expect((await get('/api/v1/loans/overdue')).overdue).toEqual(overdue)
    expect(Object.keys((await get('/api/v1/openapi.json')).paths)).toContain('/api/v1/loans/overdue')
    expect(Object.keys((await get('/api/v1/asyncapi.json')).channels)).toEqual(
      expect.arrayContaining(['fonds.loans.orders', 'fonds.loans.slips', 'fonds.loans.events']),
    )
    expect((await get('/api/v1/commands')).commands).toContainEqual(
      expect.objectContaining({ name: 'loans.return' }),
    )

    const doctor = linesOf(await run(['doctor'], given))
    expect(doctor).toContainEqual(expect.objectContaining({ check: 'slips', status: 'ok' }))
    expect(doctor).toContainEqual(
      expect.objectContaining({ check: 'overdue', status: 'warn', says: '1 original is overdue' }),
    )

    await fonds('settings', 'set', 'loans-days', '28', ...by)
    expect(await fonds('settings', 'list')).toContainEqual(
      expect.objectContaining({ setting: 'loansDays', value: 28, here: '28', from: 'log' }),
    )
    expect((await run(['settings', '--help'], given)).stdout).toContain('--loans-folder <folder>')

    await fonds('loans', 'return', 'Ms. 12', ...by)
    expect(await fonds('loans', 'overdue')).toEqual([])
    expect((await fonds('history', 'Ms. 12')).map(({ type }) => type)).toEqual([
      'ItemOrdered',
      'SlipPrinted',
      'ItemReturned',
    ])
    const backup = join(given.folder, 'backup')
    await fonds('backup', backup)
    expect(readdirSync(join(backup, 'slips'))).toHaveLength(2)
    expect(await run(['rebuild', '--all', '--verify'], given)).toMatchObject({ code: 0 })
  })
})

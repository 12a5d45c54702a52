import { describe, expect, test } from 'vitest'
import { settings } from '#src/app/config/settings.ts'
import { dashed, variableOf } from '#src/domain/kernel/setting.ts'
import { workflows } from '#src/workflows/all.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds()

describe('usage', () => {
  test('without a command it says how it is used, and that this was not', async () => {
    const { code, out, err } = await fonds.run([])
    expect(code).toBe(2)
    expect(out).toBe('')
    const lines = err.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(22)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110)
    const names = [...err.matchAll(/^ {2}fonds ([a-z-]+)/gm)].map(([, name]) => name)
    expect(names).toEqual(expect.arrayContaining(['demo', 'start', 'doctor', 'query', 'backup']))
    // Moments of the past are times with a zone, or positions; things go by their whole ids.
    const [, moment = ''] = err.match(/--as-of (\S+)/) ?? []
    expect((await fonds.run(['query', 'fixity-items', '--as-of', moment])).err).not.toContain(
      'neither a time',
    )
    const [, thing] = err.match(/fonds history (\S+)/) ?? []
    expect(thing).toBe('archive/letters/03.tif')
    const { out: help } = await fonds.run(['--help'])
    for (const name of names) expect(help).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })

  test('--help lists the commands and the exit codes, and says where the settings are', async () => {
    const { code, out, err } = await fonds.run(['--help'])
    expect(code).toBe(0)
    expect(err).toBe('')
    for (const text of [
      'produce',
      'rebuild',
      '--home <folder>',
      'fonds settings --help',
      'Exit codes: 0 done',
    ])
      expect(out).toContain(text)
    expect(out).not.toContain('FONDS_')
  })

  test('settings --help has each setting, as a flag and as a variable', async () => {
    const { code, out } = await fonds.run(['settings', '--help'])
    expect(code).toBe(0)
    for (const name of Object.keys(settings)) {
      expect(out).toContain(`--${dashed(name)} <`)
      expect(out).toContain(`(${variableOf(name)})`)
    }
  })

  test('--version', async () => {
    const { code, out } = await fonds.run(['--version'])
    expect(code).toBe(0)
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test.each([
    'produce',
    'query',
    'diff',
    'events',
    'find',
    'history',
    'premis',
    'proof',
    'do',
    'dead-letters',
    'rebuild',
    'worker',
    'topics',
    'schema',
    'doctor',
    'storage',
    'completion',
    'backup',
  ])('%s --help shows examples', async (name) => {
    const { code, out } = await fonds.run([name, '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`Examples:\n {2}\\$ fonds ${name}`))
  })

  test.each(['list', 'show', 'retry', 'discard'])('dead-letters %s --help shows examples', async (name) => {
    const { code, out } = await fonds.run(['dead-letters', name, '--help'])
    expect(code).toBe(0)
    expect(out).toContain(`$ fonds dead-letters ${name}`)
  })

  test.each([
    [['prodduce'], 'Did you mean produce?'],
    [['query', '--limt', '3'], 'Did you mean --limit?'],
    [['query', '--limit', 'x'], 'whole number'],
    [['query', '--format', 'xml'], 'table, json, ndjson, csv'],
    [['events', '--from', '-3'], 'position of the log'],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
    [['completion'], "missing required argument 'shell'"],
    [['history'], "missing required argument 'id'"],
    [['topics', 'too', 'many'], 'too many arguments'],
  ])('%j is wrong usage', async (argv, says) => {
    const { code, out, err } = await fonds.run(argv)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain(says)
    expect(err).not.toContain('    at ')
  })
})

describe('settings', () => {
  test('every wrong one is named, wherever it comes from', async () => {
    const config = fonds.file('config.json', '{"hands": 0, "colour": "red"}')
    const { code, err } = await fonds.run(['topics', '--port', 'x', '--config', config], {
      env: { FONDS_LOG_LEVEL: 'loud' },
    })
    expect(code).toBe(2)
    for (const name of ['port', 'hands', 'colour', 'logLevel', '4 settings are wrong'])
      expect(err).toContain(name)
  })

  test('a flag goes before and behind the command', async () => {
    for (const argv of [
      ['--partitions', '2', 'produce', 'fonds.fixity.content', '-'],
      ['produce', 'fonds.fixity.index', '-', '--partitions', '3'],
    ])
      expect((await fonds.run(argv)).code).toBe(0)
    const { rows } = await fonds.run(['topics'])
    // Those of events are made where the relay runs.
    const messages = rows.filter(({ topic }) => !String(topic).endsWith('.events'))
    const partitions = messages.map(({ partitions }) => (partitions as unknown[]).length)
    expect(new Set(partitions)).toEqual(new Set([2]))
  })

  test('a config file that is not there', async () => {
    const { code, err } = await fonds.run(['topics', '--config', '/nowhere.json'])
    expect(code).toBe(2)
    expect(err).toContain('/nowhere.json')
  })
})

describe('what it depends on', () => {
  test('a log that cannot be opened is away: 3, with what to do and no stack', async () => {
    const file = fonds.file('plain', 'no folder')
    const { code, err } = await fonds.run(['topics', '--event-store', `sqlite:${file}`])
    expect(code).toBe(3)
    expect(err).toContain(file)
    expect(err).not.toContain('    at ')
  })

  test('with --log-level debug there is a stack', async () => {
    const file = fonds.file('plain', 'no folder')
    const { err } = await fonds.run(['topics', '--event-store', `sqlite:${file}`, '--log-level', 'debug'])
    expect(err).toContain('    at ')
  })
})

describe('colour', () => {
  const sequence = '\u001b['

  test('on a terminal, unless NO_COLOR says otherwise', async () => {
    expect((await fonds.run(['worker'], { terminal: 100 })).out).toContain(sequence)
    const plain = await fonds.run(['worker'], { terminal: 100, env: { NO_COLOR: '1' } })
    expect(plain.out).not.toContain(sequence)
    expect(plain.out).toContain('kind')
  })

  test('in a pipe only with FORCE_COLOR, and never in JSON', async () => {
    const table = ['query', 'fixity-stores', '--format', 'table']
    await fonds.run([
      'do',
      'fixity.register-store',
      'store=main',
      'kind=external',
      '--actor',
      'a',
      '--reason',
      'b',
    ])
    expect((await fonds.run(table)).out).not.toContain(sequence)
    expect((await fonds.run(table, { env: { FORCE_COLOR: '1' } })).out).toContain(sequence)
    const kinds = workflows.flatMap(({ workers }) => workers)
    expect((await fonds.run(['worker'], { env: { FORCE_COLOR: '1' } })).rows).toHaveLength(kinds.length)
  })
})

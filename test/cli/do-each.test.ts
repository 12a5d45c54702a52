import { Readable } from 'node:stream'
import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { openSystem } from '../../src/open-system.ts'
import { writeLog } from '../fakes/matching-log.ts'
import { programme } from '../fakes/research-programme.ts'
import { lines, recorded, useFonds } from './fonds.ts'
import { rememberingStream } from './output/streams.ts'

const fonds = useFonds()
const by = ['--actor', 'eve', '--reason', 'the centenary']
const write = () => fonds.withSystem((system) => writeLog(system, programme()))
const list = (...all: readonly object[]) => lines(...all.map((one) => JSON.stringify(one)))
const each = (stdin: string, ...argv: readonly string[]) =>
  fonds.run(['do', ...argv, '--each', '-', ...by], { stdin })
const prioritise = (stdin: string, ...argv: readonly string[]) =>
  each(stdin, 'research.prioritise', 'priority=5', ...argv)
const prioritised = async () =>
  (await fonds.run(['events', '--type', 'Prioritised'])).rows.map(({ stream }) => stream)

describe('research X15: a command for each line', () => {
  test('of a file: each is done, with the fields of the command line; the summary says how many', async () => {
    await write()
    const file = fonds.file(
      'list.ndjson',
      `${list({ episode: 'E1' }, { clip: 'g' })}\n  \n${list({ clip: 'h' })}`,
    )
    const argv = ['do', 'research.prioritise', '--each', file, 'priority=5', ...by]
    const { code, rows, err } = await fonds.run(argv)
    expect([code, err]).toEqual([0, ''])
    expect(rows).toEqual([
      {
        command: 'research.prioritise',
        id: expect.any(String),
        lines: 3,
        done: 3,
        unchanged: 0,
        repeated: 0,
        rejected: 0,
        rejections: [],
      },
    ])
    const { rows: events } = await fonds.run(['events', '--type', 'Prioritised'])
    expect(events.map(({ stream }) => stream).sort()).toEqual(['clip-g', 'clip-h', 'episode-E1'])
    expect(events[0]).toMatchObject({
      data: { priority: 5, reason: 'the centenary' },
      metadata: { actor: 'eve' },
    })
    expect((await fonds.run(argv)).rows).toMatchObject([{ done: 0, unchanged: 3 }])
    expect((await fonds.run(['query', 'research-episodes', '--where', 'episode=E1'])).rows).toMatchObject([
      { priority: 5 },
    ])
  })

  test('of another workflow, its whole input in the lines', async () => {
    const store = ['do', 'fixity.register-store', 'store=main', 'kind=external', ...by]
    await fonds.run(store)
    await fonds.run(['produce', 'fonds.fixity.content', '--wait'], {
      stdin: lines(recorded('a'), recorded('b')),
    })
    const { code, rows } = await each(
      list({ store: 'main', path: 'a' }, { store: 'main', path: 'b' }),
      'fixity.check',
    )
    expect([code, rows[0]?.done]).toEqual([0, 2])
    expect((await fonds.run(['events', '--type', 'CheckRequested'])).rows).toHaveLength(2)
  })

  test('that cannot be used: all are told, and nothing is done', async () => {
    await write()
    const bad = [
      'nonsense',
      '[]',
      '{"episode":"E1","priority":7}',
      '{"episode":"E1","clip":"g"}',
      '{"epsode":"E1"}',
    ]
    const { code, out, err } = await prioritise(lines('{"episode":"E1"}', ...bad))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('stdin: 5 lines cannot be used, and nothing was done:')
    expect(err).toContain('line 2: the value is not JSON')
    expect(err).toContain('line 3: it is no JSON object')
    expect(err).toContain('line 4: priority is given for all lines, too; give it in one place')
    expect(err).toMatch(/line 5: .*exactly one of episode, clip/)
    expect(err).toContain('line 6: there is no field epsode; did you mean episode?')
    expect(await prioritised()).toEqual([])
  })

  test('of very many that cannot, the first are told', async () => {
    const { code, err } = await prioritise(lines(...Array.from({ length: 130 }, () => '{}')))
    expect([code, err.match(/ {2}line \d+: /g)?.length]).toEqual([2, 100])
    expect(err).toContain('… and 30 more lines')
  })

  test('that is too long is told, and not held', async () => {
    const { code, err } = await prioritise(lines(JSON.stringify({ episode: 'x'.repeat(1_100_000) })))
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('line 1: the line is 1100014 bytes; the limit is'),
    ])
  })

  test('that the domain rejects is told by its number; the others are done: 1', async () => {
    await write()
    const stdin = list({ episode: 'E1' }, { episode: 'E9' }, { clip: 'g' }, { clip: 'zz' })
    const { code, rows, err } = await prioritise(stdin, '--id', 'w1')
    expect(code).toBe(1)
    expect(err).toContain('2 of 4 lines rejected')
    expect(err).toContain('give the same again with --id w1')
    expect(rows).toMatchObject([
      { id: 'w1', done: 2, rejected: 2, rejections: [{ line: 2 }, { line: 4, message: expect.any(String) }] },
    ])
    expect((await prioritised()).sort()).toEqual(['clip-g', 'episode-E1'])
  })

  test('what the views object to is rejected as for one', async () => {
    await write()
    const { code, rows } = await each(list({ curator: 'feed' }, { curator: 'nobody' }), 'research.exclude')
    expect([code, rows[0]]).toMatchObject([1, { done: 1, rejections: [{ line: 2 }] }])
  })

  test('given again under the same id it has its effect once, in whatever order the lines are', async () => {
    await write()
    const reopen = async (clips: readonly string[], ...id: readonly string[]) =>
      (await each(list(...clips.map((clip) => ({ clip }))), 'research.reopen', ...id)).rows
    expect(await reopen(['g', 'h', 'g'], '--id', 'w1')).toMatchObject([{ done: 2, repeated: 1 }])
    expect(await reopen(['k', 'h', 'g'], '--id', 'w1')).toMatchObject([{ done: 1, repeated: 2 }])
    expect(await reopen(['g'])).toMatchObject([{ done: 1, repeated: 0 }])
    expect((await fonds.run(['events', '--type', 'ReopenRequested'])).rows).toHaveLength(4)
  })

  test('lines about the same thing are done in their order', async () => {
    await write()
    const priorities = Array.from({ length: 100 }, (_, i) => ({ episode: 'E1', priority: i }))
    const { rows } = await each(list(...priorities), 'research.prioritise')
    expect(rows).toMatchObject([{ done: 100 }])
    const { rows: events } = await fonds.run(['events', '--type', 'Prioritised'])
    expect(events.map(({ data }) => (data as { priority: number }).priority)).toEqual(
      priorities.map((_, i) => i),
    )
  })

  test('is told in words on a terminal', async () => {
    await write()
    const { out } = await fonds.run(['do', 'research.pin', '--each', '-', ...by], {
      stdin: list({ clip: 'g' }, { clip: 'zz' }),
      terminal: 120,
      env: { NO_COLOR: '1' },
    })
    expect(out).toMatch(/^line +message\n +2 +no curator has seen this clip/)
    expect(out).toMatch(/^research\.pin, 2 lines: 1 done, 0 true already, 1 rejected\.$/m)
  })

  const seventy = list(...Array.from({ length: 70 }, (_, i) => ({ episode: 'E1', priority: i })))
  const underW1 = ['research.prioritise', '--id', 'w1']

  /** Before each is given, `meddle` is told how many were. */
  const meddlingWith = async (meddle: (given: number) => 'fails' | undefined) => {
    const [stdout, stderr] = [rememberingStream(), rememberingStream()]
    let given = 0
    const away = left({ kind: 'Unavailable', reason: 'the disk is full' } as const)
    const code = await runCli(['do', ...underW1, '--each', '-', ...by], {
      openSystem: async (config) => {
        const system = await openSystem({ ...config, logLevel: 'silent' })
        const execute: typeof system.execute = (...args) =>
          meddle(given++) === 'fails' ? Promise.resolve(away) : system.execute(...args)
        return { ...system, execute }
      },
      http: async () => (await import('#src/api/http.ts')).http,
      env: { FONDS_HOME: fonds.home },
      stdin: Readable.from([seventy]),
      stdout,
      stderr,
    })
    return { code, summary: JSON.parse(stdout.text()), err: stderr.text() }
  }

  test('what it depends on goes away: 3, with what was done and how to go on', async () => {
    await write()
    const { code, summary, err } = await meddlingWith((given) => (given < 65 ? undefined : 'fails'))
    expect([code, summary]).toMatchObject([3, { lines: 70, done: 65, rejected: 0 }])
    expect(err).toContain('the disk is full')
    expect(err).toContain('give the same again with --id w1')
    expect((await each(seventy, ...underW1)).rows).toMatchObject([{ done: 5, repeated: 65 }])
  })

  test('stopped by a person: those under way are finished, and it says how to go on', async () => {
    await write()
    const { code, summary, err } = await meddlingWith((given) => {
      if (given === 3) process.emit('SIGINT')
      return undefined
    })
    expect([code, summary]).toMatchObject([1, { lines: 70, done: 64 }])
    expect(err).toContain('stopped after 64 of 70 lines')
    expect((await each(seventy, ...underW1)).rows).toMatchObject([{ done: 6, repeated: 64 }])
  })
})

describe('a list that cannot be read', () => {
  test.each([
    [['--each', 'nowhere.ndjson'], 1, 'there is no file nowhere.ndjson'],
    [['--each', '-'], 2, 'stdin holds no line'],
    [['-', '--each', '-'], 2, 'cannot be both'],
    [['episode', '--each', '-'], 2, 'write key=value'],
  ])('%j', async (argv, wanted, says) => {
    const { code, out, err } = await fonds.run(['do', 'research.pin', ...argv, ...by])
    expect([code, out]).toEqual([wanted, ''])
    expect(err).toContain(says)
  })
})

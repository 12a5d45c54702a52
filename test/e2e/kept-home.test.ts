import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { openSystem } from '../../src/open-system.ts'
import { rememberingStream } from '../cli/output/streams.ts'
import { type Line, linesOf, ask as run, startServer, stop, until, useFolder } from './run-fonds.ts'

/* What older code kept, opened by today's: test/fixtures/homes/f63f04c/README.md says what is in it. */

const kept = join(import.meta.dirname, '../fixtures/homes/f63f04c')
const { at, answers } = JSON.parse(readFileSync(join(kept, 'answers.json'), 'utf8')) as {
  readonly at: string
  readonly answers: Readonly<Record<string, { readonly code: number; readonly answer: readonly Line[] }>>
}

const useKept = () => {
  const { folder, home } = useFolder()
  execFileSync('tar', ['-xzf', join(kept, 'home.tar.gz'), '-C', folder])
  return { home }
}

/** Asks as of the time when the older code was asked. */
const ask = async (question: string, home: string) => {
  const stdout = rememberingStream()
  const code = await runCli(question.split(' '), {
    openSystem: async (config) => {
      const system = await openSystem(config)
      return { ...system, clock: { ...system.clock, now: () => at } }
    },
    http: async () => (await import('#src/api/http.ts')).http,
    env: { FONDS_HOME: home },
    stdin: Readable.from([]),
    stdout,
    stderr: rememberingStream(),
  })
  return { code, answer: linesOf({ stdout: stdout.text() }) }
}

/** What was never compared with a recorded checksum is not called verified. */
const isBaselined = ({ state, recordedFrom }: Line): boolean =>
  state === 'verified' && recordedFrom === 'first reading'
const baselined: Readonly<Record<string, number>> = { letters: 1, minutes: 2 }

/** Where nobody is there, no position is computed. */
const withoutPosition = (row: Line): Line => ({
  ...row,
  capacity: { ...row.capacity, says: row.capacity.says.replace(' (position 0)', '') },
})

/** Said otherwise today, and on purpose. */
const otherwise: Readonly<Record<string, (row: Line) => Line>> = {
  // Removed and not there is as recorded: nobody has to look after it.
  'query fixity-items': (row) =>
    row.removed && row.state === 'failed'
      ? { ...row, state: 'withdrawn' }
      : isBaselined(row)
        ? { ...row, state: 'baselined' }
        : row,
  'fixity report': (row) => {
    const count = baselined[row.store] ?? 0
    return { ...row, verified: row.verified - count, baselined: count }
  },
  // Two results within 42 seconds of the first lease, and research was paused since.
  'research progress': ({ forecast: _, ...row }) => ({
    ...row,
    rate: { ...row.rate, day: expect.closeTo(173.57, 1) },
    noForecast: 'research is paused since 2026-11-22T22:14:55Z: the kept home',
  }),
  'research next': withoutPosition,
  'research next show-2': withoutPosition,
  'research next show-1 gurgle': withoutPosition,
  // Of changes of before the cause of each work's move was not kept.
  'matching history B': (row) => ({ ...row, causes: [] }),
  'matching why A B': (row) => ({ ...row, lastTogether: { ...row.lastTogether, causes: [] } }),
  // An index of those that were corrected leaves all others out.
  'query matching-works': (row) => ({ ...row, corrections: row.corrections === 0 ? null : row.corrections }),
  'research capacity': (row) => (row.researchers === 0 ? { ...row, position: null } : row),
}

/** Turns of works and turns of graphs are two views today; the causes that were kept of either are not today's. */
const turnsOf = (kind: string, today: (id: string, row: Line) => Line) =>
  answers['query matching-turns']!.answer.flatMap(({ subject, causes: _, ...row }) => {
    const [of, id] = subject.split(':')
    return of === kind ? [today(id, row)] : []
  })
const { 'matching compare': compared, ...others } = answers
const today: typeof answers = {
  ...others,
  'matching compare-generations': compared!,
  'query matching-turns': {
    code: 0,
    answer: turnsOf('work', (work, { joined, left, some, gone, ...row }) => ({
      ...row,
      work,
      joinedBy: null,
      leftBy: null,
    })),
  },
  'query matching-graph-turns': {
    code: 0,
    answer: turnsOf('graph', (_, { was, ...row }) => ({ ...row, isNew: was === null ? 1 : 0 })),
  },
}

const eventsOf = async (home: string) => (await ask('events', home)).answer

describe('a home of commit f63f04c', () => {
  it('answers as it did then', async () => {
    const { home } = useKept()
    for (const [question, { code, answer }] of Object.entries(today))
      expect
        .soft(await ask(question, home), question)
        .toMatchObject({ code, answer: answer.map(otherwise[question] ?? ((row) => row)) })
  })

  it('views that are folded anew are the same', async () => {
    const { home } = useKept()
    const verdicts = await run(['rebuild', '--all', '--verify'], { home })
    expect(verdicts.map(({ projection, verdict }) => [projection, verdict])).toEqual(
      verdicts.map(({ projection }) => [projection, 'equal']),
    )
    expect(verdicts.length).toBeGreaterThan(4)
  })

  it('a server goes on where the older one was: nothing is handled again, what waited is', async () => {
    const { home } = useKept()
    const before = (await eventsOf(home)).length
    const server = await startServer({ home })
    await until('it is ready', async () => (await fetch(`${server.address}/readyz`)).ok)
    await until('what waited is handled', async () => (await handledBy(server)).length >= handled.length)
    expect(await handledBy(server)).toEqual(handled)
    expect(await stop(server)).toBe(0)
    const since = (await eventsOf(home)).slice(before)
    expect(since.map(({ stream, type }) => `${stream} ${type}`).toSorted()).toEqual(written)
  })
})

/** One work, which in two generations becomes a change, a message and three documents; and two stores that are not here. */
const handled = Array(1 + 2 * (1 + 1 + 1 + 3) + 2).fill('done')
const written = [
  ...['letters', 'minutes'].map((store) => `fixityStore-${store} StoreAway`),
  ...['graph-1', 'graph-2'].map((stream) => `${stream} GraphChanged`),
  ...['A', 'A', 'D', 'D', 'late', 'late'].map((work) => `merged-${work} WorkMerged`),
  'work-late WorkObserved',
]

/** What came of each message that it has handled. */
const handledBy = async ({ address }: { readonly address: string }): Promise<readonly string[]> => {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  return [...metrics.matchAll(/^fonds_messages_total\{.*outcome="(.*)"\} (\d+)$/gm)].flatMap(
    ([, outcome, times]) => Array(Number(times)).fill(outcome),
  )
}

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it, test } from 'vitest'
import { bindViews } from '#src/app/bind-views.ts'
import { livePosition } from '#src/async/caught-up.ts'
import { systemClock } from '#src/async/system-clock.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { runSubscription } from '#src/processors/runtime/leader-subscription.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import type { Projection } from '#src/projections/runtime/projection.ts'
import { until } from '../fakes/clock.ts'
import { type FakeEventStore, fakeEventStore } from '../fakes/event-store.ts'
import { recordedTelemetry } from '../fakes/telemetry.ts'
import { openTestViews } from '../fakes/views.ts'
import { useFolder } from '../processors/runtime/log.ts'
import { silent } from '../processors/runtime/world.ts'
import { runs } from '../runs.ts'

/*
 * Logs are written as texts, an event a letter: logs that begin alike are the same log up to there, as copies of it are. `-`
 * tells who has a duty, `q` is of the quiet category, `$` of a server's own, all others are of the loud one.
 */

const folder = useFolder()
let files = 0
const newFile = () => folder.path(`${files++}.db`)

const streams: Readonly<Record<string, string>> = { '-': 'duty-d', $: '$stats', q: 'quiet-q' }
const streamOf = (letter: string) => streams[letter] ?? 'loud-l'

const logOf = async (letters: string, identity = 'a log'): Promise<FakeEventStore> => {
  let n = 0
  const now = () => new Date(Date.UTC(2026, 0, 1) + n * 1000 + letters.charCodeAt(n)).toISOString()
  const store = fakeEventStore({ now })
  for (; n < letters.length; n++)
    await store.append(streamOf(letters[n]!), 'any', [
      {
        id: letters.slice(0, n + 1),
        type: letters[n]!,
        data: {},
        metadata: { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 },
      },
    ])()
  return { ...store, identity: () => async () => ({ _tag: 'Right', right: identity }) }
}

const rows = {
  name: 'rows',
  description: 'Events.',
  key: ['n'],
  columns: { n: 'integer', letter: 'text' },
} as const
const projection = (name: string, category: string): Projection => ({
  name,
  version: 1,
  description: 'Events as they come.',
  filter: { categories: [category] },
  views: [{ ...rows, name }],
  apply: ({ type }, tables) => {
    const table = tables[name]!
    const count = Number(table.get(0)?.letter ?? 0) + 1
    table.put({ n: 0, letter: `${count}` })
    table.put({ n: count, letter: type })
  },
})
const projections = [projection('loud-rows', 'loud'), projection('quiet-rows', 'quiet')]
const lettersIn = (views: ViewStore, view: string): string =>
  views
    .query(view, { orderBy: [{ column: 'n' }] })
    .slice(1)
    .map(({ letter }) => letter)
    .join('')

/** A start of Fonds: views, and a follower of each category, brought up to date. What the followers were handed. */
const run = async (eventStore: FakeEventStore, views: ViewStore, warnings: string[] = []) => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
  await bindViews({ eventStore, viewStore: views, log })
  await catchUp({ eventStore, viewStore: views, projections })
  const handed = { loud: '', quiet: '' }
  const head = (await eventStore.head()()) as unknown as { readonly right: bigint }
  const followings = (['loud', 'quiet'] as const).map((name) =>
    runSubscription(
      {
        name,
        filter: { categories: [name] },
        handle: async ({ events }) => {
          handed[name] += events.map(({ type }) => type).join('')
          return true
        },
      },
      {
        eventStore,
        viewStore: views,
        term: { isLeader: () => true, positions: {} },
        clock: systemClock,
        telemetry: recordedTelemetry(),
        log,
      },
    ),
  )
  await until(() => followings.every((one) => one.position() >= head.right))
  await Promise.all(followings.map((one) => one.stop()))
  return handed
}

const only = (letters: string, wanted: RegExp) => letters.replace(wanted, '')
const loudIn = (letters: string) => only(letters, /[-q]/g)
const quietIn = (letters: string) => only(letters, /[^q]/g)

const expectTrue = (views: ViewStore, letters: string) => {
  expect(lettersIn(views, 'loud-rows')).toBe(loudIn(letters))
  expect(lettersIn(views, 'quiet-rows')).toBe(quietIn(letters))
}

/** All of that, and it may be what came before it once more. */
const expectHanded = (handed: { readonly loud: string; readonly quiet: string }, letters: string) => {
  expect(handed.loud).toMatch(new RegExp(`${loudIn(letters)}$`))
  expect(handed.quiet).toMatch(new RegExp(`${quietIn(letters)}$`))
}

const withViews = async (work: (views: ViewStore, file: string) => Promise<void>) => {
  const file = newFile()
  const views = openTestViews(file)
  try {
    await work(views, file)
  } finally {
    views.close()
  }
}

/** As the file is where a program that knew no places of events wrote it. */
const forgetEvents = (file: string) => {
  const db = new DatabaseSync(file)
  db.exec('UPDATE generation SET event = NULL; DELETE FROM seen_event')
  db.close()
}

describe('the same log', () => {
  it('nothing moves and nothing is told, whatever duties said meanwhile', () =>
    withViews(async (views) => {
      await run(await logOf('aqb--'), views)
      const before = views.generations()
      const warnings: string[] = []
      const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
      for (const letters of ['aqb--', 'aqb----'])
        await bindViews({ eventStore: await logOf(letters), viewStore: views, log })
      expect(views.generations()).toEqual(before)
      expect(await run(await logOf('aqb-----c'), views, warnings)).toEqual({ loud: 'c', quiet: '' })
      expectTrue(views, 'aqbc')
      expect(warnings).toEqual([])
    }))

  it('one whose events were read, and then deleted with their stream', () =>
    withViews(async (views) => {
      const store = await logOf('abc')
      await run(store, views)
      const { id } = views.live('loud-rows')!
      const warnings: string[] = []
      await store.deleteStream('loud-l', 'any', 'tombstone')()
      await run(store, views, warnings)
      expect(views.live('loud-rows')?.id).toBe(id)
      expect(warnings).toEqual([])
    }))

  it('one whose server writes events of its own behind ours: no position there is too far', () =>
    withViews(async (views, file) => {
      await run(await logOf('aqb$$'), views)
      forgetEvents(file)
      const before = views.generations()
      expect(await run(await logOf('aqb$$'), views)).toEqual({ loud: '', quiet: '' })
      expect(views.generations()).toEqual(before)
    }))

  it('views of another log are folded anew', () =>
    withViews(async (views) => {
      await run(await logOf('abq'), views)
      const warnings: string[] = []
      const handed = await run(await logOf('xyzq', 'another log'), views, warnings)
      expect(handed).toEqual({ loud: 'xyz', quiet: 'q' })
      expectTrue(views, 'xyzq')
      expect(warnings).toHaveLength(1)
    }))
})

describe('a log that went back', () => {
  it.each([
    ['to less than was folded', 'abcq-', 'ab'],
    ['to nothing', 'abcq', ''],
    ['and went on', 'abc', 'abx'],
    ['and has grown past all positions', 'abcde', 'abxyzuvw'],
    ['where one never saw an event', 'ab-----', 'abqqqqqqqq'],
    ['where one saw its last event long before', 'qa------', 'qaqxqqqqqq'],
    ['between two words on duties', 'ab---', 'ab--x-'],
    ['but only in what nobody folds', 'ab---', 'ab-'],
  ])('%s', (_, before, after) =>
    withViews(async (views) => {
      await run(await logOf(before), views)
      const handed = await run(await logOf(after), views)
      expectTrue(views, after)
      const common = [...before].findIndex((letter, n) => letter !== after[n])
      expectHanded(handed, after.slice(common))
      for (const name of ['loud', 'quiet']) expect(livePosition(views, name)).toBe(BigInt(after.length - 1))
      const more = `${after}mq`
      expect(await run(await logOf(more), views)).toEqual({ loud: 'm', quiet: 'q' })
      expectTrue(views, more)
    }),
  )

  it('says so, and names what is folded anew', () =>
    withViews(async (views) => {
      await run(await logOf('abc'), views)
      const warnings: string[] = []
      await run(await logOf('ax'), views, warnings)
      expect(warnings).toEqual([expect.stringContaining('restored from an older copy')])
    }))

  it('views that were behind where it went back stay: nothing is folded anew', () =>
    withViews(async (ahead) =>
      withViews(async (behind) => {
        await run(await logOf('abcdef'), ahead)
        await run(await logOf('abc'), behind)
        const { id } = behind.live('loud-rows')!
        expect(await run(await logOf('abcdxy'), behind)).toEqual({ loud: 'dxy', quiet: '' })
        expect(behind.live('loud-rows')?.id).toBe(id)
        expect(await run(await logOf('abcdxy'), ahead)).toMatchObject({ loud: expect.stringMatching(/xy$/) })
        for (const views of [ahead, behind]) expectTrue(views, 'abcdxy')
      }),
    ))

  it('only what came behind the last place that was seen before is followed once more', () =>
    withViews(async (views) => {
      let letters = ''
      for (let n = 0; n < 200; n++) {
        letters += String.fromCharCode(97 + (n % 16))
        await bindViews({ eventStore: await logOf(letters), viewStore: views, log: silent })
      }
      await run(await logOf(letters), views)
      for (const [length, most] of [
        [190, 0],
        [100, 8],
        [30, 30],
      ] as const) {
        const now = `${letters.slice(0, length)}x`
        const handed = await run(await logOf(now), views)
        expect(handed.loud).toMatch(/x$/)
        expect(handed.loud.length - 1).toBeLessThanOrEqual(most)
        expectTrue(views, now)
      }
    }))

  it('twice, to another place each time', () =>
    withViews(async (views) => {
      for (const letters of ['abcq', 'abqx-', 'abqxy', 'aqq--', 'abcqde']) {
        await run(await logOf(letters), views)
        expectTrue(views, letters)
      }
    }))

  test('wherever it does, views are those of the log, and no follower passes over an event', async () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'q', '-'), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(letters, letters, letters, fc.nat(8), async (common, before, after, runAt) =>
        withViews(async (views) => {
          // At some place on the way it was started, too.
          const old = `${common}${before}`
          for (const length of [runAt, old.length]) await run(await logOf(old.slice(0, length)), views)
          // Other events, whatever their letters: times tell them apart.
          const now = after === '' ? common : `${common}z${after}`
          const handed = await run(await logOf(now), views)
          expectTrue(views, now)
          expectHanded(handed, now.slice(common.length))
        }),
      ),
      { numRuns: runs(60) },
    )
  })
})

describe('views that an older program folded: it kept no places of events', () => {
  it.each([
    ['to less than was folded', 'abcq-', 'ab'],
    ['and went on', 'abcq', 'abx'],
    ['where one never saw an event', 'ab-----', 'ab'],
  ])('of a log that went back %s', (_, before, after) =>
    withViews(async (views, file) => {
      await run(await logOf(before), views)
      forgetEvents(file)
      await run(await logOf(after), views)
      expectTrue(views, after)
      expect(await run(await logOf(`${after}mq`), views)).toEqual({ loud: 'm', quiet: 'q' })
      expectTrue(views, `${after}mq`)
    }),
  )

  it('of the same log they stay, and from then on it is known where they stand', () =>
    withViews(async (views, file) => {
      await run(await logOf('aqb--'), views)
      forgetEvents(file)
      const before = views.generations()
      expect(await run(await logOf('aqb--'), views)).toEqual({ loud: '', quiet: '' })
      expect(views.generations()).toEqual(before)
      expect(await run(await logOf('aqxyzqq'), views)).toMatchObject({ quiet: expect.stringMatching(/qq$/) })
      expectTrue(views, 'aqxyzqq')
    }))
})

test('a message delivered again leads to the same event at another place: that is not the log that was folded', () =>
  withViews(async (views) => {
    const withSameIds = async (letters: string) => {
      const store = fakeEventStore({ now: () => '2026-01-01T00:00:00.000Z' })
      for (const letter of letters)
        await store.append(`loud-${letter}`, 'any', [
          {
            id: letter,
            type: letter,
            data: {},
            metadata: { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 },
          },
        ])()
      return store
    }
    await run(await withSameIds('abc'), views)
    await run(await withSameIds('cxyz'), views)
    expectTrue(views, 'cxyz')
  }))

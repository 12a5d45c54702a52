import { describe, expect, it } from 'vitest'
import { batchEvents as fixityBatch } from '#src/domain/fixity/batch/events.ts'
import { events as fixity } from '#src/domain/fixity/events.ts'
import { storeEvents as fixityStore } from '#src/domain/fixity/store/events.ts'
import { events as indexing } from '#src/domain/indexing/events.ts'
import { batchEvents as batch } from '#src/domain/ingest/batch/events.ts'
import { jobEvents as job } from '#src/domain/ingest/job/events.ts'
import type { DomainEvent, RecordedEvent } from '#src/domain/kernel/event.ts'
import type { EventSet } from '#src/domain/kernel/event-set.ts'
import { workEvents as work } from '#src/domain/matching/events.ts'
import { clipEvents as clip } from '#src/domain/research/clip/events.ts'
import { episodeEvents as episode } from '#src/domain/research/episode/events.ts'
import { fixityActivity } from '#src/projections/fixity/activity.ts'
import { indexingActivity } from '#src/projections/indexing/activity.ts'
import { ingestActivity } from '#src/projections/ingest/activity.ts'
import { daysOfWork, doneInHour, runsOf } from '#src/projections/kernel/questions/activity.ts'
import { matchingActivity } from '#src/projections/matching/activity.ts'
import { researchActivity } from '#src/projections/research/activity.ts'
import type { Projection } from '#src/projections/runtime/projection.ts'
import fixityBatches from '../domain/fixity/batch/stored-events.json' with { type: 'json' }
import fixityStores from '../domain/fixity/store/stored-events.json' with { type: 'json' }
import fixityItems from '../domain/fixity/stored-events.json' with { type: 'json' }
import indexingFiles from '../domain/indexing/stored-events.json' with { type: 'json' }
import ingested from '../domain/ingest/stored-events.json' with { type: 'json' }
import works from '../domain/matching/stored-events.json' with { type: 'json' }
import clips from '../domain/research/clip/stored-events.json' with { type: 'json' }
import episodes from '../domain/research/episode/stored-events.json' with { type: 'json' }
import { folding } from './folding.ts'

/* What home shows of the last night and the last days: counted once, from events of every age. */

const events = { fixity, fixityBatch, fixityStore, indexing, job, batch, work, episode, clip }

interface Stored {
  readonly type: string
  readonly schema: number
  readonly data: unknown
}

const recorded = (
  stream: string,
  all: readonly {
    readonly type: string
    readonly data: unknown
    readonly schema?: number
    readonly at?: string
  }[],
): readonly RecordedEvent[] =>
  all.map(({ type, data, schema = 1, at = '2026-01-31T12:34:56.000Z' }, i) => ({
    id: `${i}`,
    type,
    stream,
    revision: BigInt(i),
    position: BigInt(i),
    recordedAt: at,
    data: data as RecordedEvent['data'],
    metadata: { actor: 'a', causationId: 'c', correlationId: 'c', schema },
  }))

const folded = (projection: Projection, log: readonly RecordedEvent[], batch = 1000) => {
  const { open, foldAll } = folding(projection)
  const { viewStore, generation } = open()
  foldAll(viewStore, generation, log, batch)
  return viewStore
}

const now = { time: '2026-01-31T13:00:00.000Z', isPast: false }

/** Amounts by the whole codecs, through all upcasts. */
const amountsOf = (
  events: EventSet<DomainEvent>,
  stored: readonly Stored[],
  // biome-ignore lint/suspicious/noExplicitAny: of whatever event
  workOf: Readonly<Record<string, (data: any) => Partial<Record<'done' | 'wrong' | 'odd', number>>>>,
) => {
  const sum = { done: 0, wrong: 0, odd: 0 }
  for (const { type, data, schema } of stored) {
    const read = events.read({ type, data, metadata: { schema } } as never)
    if (read._tag === 'Left') throw new Error(read.left)
    const work = workOf[type]?.(read.right.data) ?? {}
    for (const name of ['done', 'wrong', 'odd'] as const) sum[name] += work[name] ?? 0
  }
  return sum
}

const failedBatch = {
  type: 'BatchMoved',
  schema: 1,
  data: { from: 'pending', to: 'failed', cause: 'I4', at: '2026-01-31T12:00:00.000Z' },
}

const parked = ({ attempt, retryAt }: { attempt?: number; retryAt?: string }) => ({
  wrong: attempt !== undefined && retryAt === undefined ? 1 : 0,
})

describe('events as every version stored them', () => {
  const cases = [
    {
      projection: fixityActivity,
      stream: 'fixity-main/a',
      events: events.fixity,
      stored: fixityItems,
      workOf: {
        FixityDecided: ({ outcome }: { outcome: string }) => ({
          done: ['success', 'unverified'].includes(outcome) ? 1 : 0,
          wrong: outcome === 'failure' ? 1 : 0,
        }),
        CheckParked: () => ({ odd: 1 }),
      },
    },
    {
      projection: fixityActivity,
      stream: 'fixityBatch-1',
      events: events.fixityBatch,
      stored: fixityBatches,
      workOf: {
        BatchChecked: ({ intact }: { intact: readonly { items: readonly unknown[] }[] }) => ({
          done: intact.flatMap(({ items }) => items).length,
        }),
      },
    },
    {
      projection: fixityActivity,
      stream: 'fixityStore-main',
      events: events.fixityStore,
      stored: fixityStores,
      workOf: { StoreAway: () => ({ odd: 1 }) },
    },
    {
      projection: indexingActivity,
      stream: 'indexing-main/a',
      events: events.indexing,
      stored: indexingFiles,
      workOf: {
        FileIndexed: () => ({ done: 1 }),
        IndexingFailed: () => ({ wrong: 1 }),
        ConflictFound: () => ({ odd: 1 }),
      },
    },
    {
      projection: ingestActivity,
      stream: 'ingestJob-1',
      events: events.job,
      stored: ingested.job,
      workOf: {
        JobMoved: ({ to }: { to: string }) => ({
          done: to === 'completed' ? 1 : 0,
          wrong: to === 'failed' ? 1 : 0,
        }),
      },
    },
    {
      projection: ingestActivity,
      stream: 'ingestBatch-1',
      events: events.batch,
      stored: [...ingested.batch, failedBatch],
      workOf: { BatchMoved: ({ to }: { to: string }) => ({ wrong: to === 'failed' ? 1 : 0 }) },
    },
    {
      projection: matchingActivity,
      stream: 'work-a',
      events: events.work,
      stored: works,
      workOf: { WorkObserved: () => ({ done: 1 }), WorkCorrected: () => ({ done: 1 }) },
    },
    {
      projection: researchActivity,
      stream: 'episode-a',
      events: events.episode,
      stored: episodes,
      workOf: {
        ClipResearched: ({ repeat }: { repeat: boolean }) => ({ done: repeat ? 0 : 1 }),
        ResearchFailed: parked,
      },
    },
    {
      projection: researchActivity,
      stream: 'clip-a',
      events: events.clip,
      stored: clips,
      workOf: { ClipFailed: parked },
    },
  ] as const
  it.each(cases)('those of $stream', ({ projection, stream, events, stored, workOf }) => {
    const amounts = amountsOf(events as never, stored as readonly Stored[], workOf as never)
    expect(amounts.done + amounts.wrong + amounts.odd).toBeGreaterThan(0)
    const views = folded(projection, recorded(stream, stored))
    const [day] = daysOfWork(views, projection.name.replace('-activity', ''), 1, now)
    expect(day).toEqual({ day: '2026-01-31', ...amounts })
  })
})

const indexed = (at: string) => ({ type: 'FileIndexed', data: {}, at })
const failed = (at: string) => ({ type: 'IndexingFailed', data: {}, at })
const night = recorded('indexing-main/a', [
  indexed('2026-01-30T22:01:00.000Z'),
  indexed('2026-01-30T22:15:00.000Z'),
  failed('2026-01-30T22:19:00.000Z'),
  indexed('2026-01-31T04:00:00.000Z'),
  indexed('2026-01-31T12:41:00.000Z'),
  indexed('2026-01-31T12:59:00.000Z'),
])

it.each([1, 2, 1000])('work without a pause of 20 minutes is one run, in batches of %i events', (batch) => {
  const views = folded(indexingActivity, night, batch)
  expect(runsOf(views, 'indexing', '2026-01-30T18:00:00.000Z', now)).toEqual({
    runs: [
      { from: '2026-01-30T22:01:00.000Z', until: '2026-01-30T22:19:00.000Z', done: 2, wrong: 1, odd: 0 },
      { from: '2026-01-31T04:00:00.000Z', until: '2026-01-31T04:00:00.000Z', done: 1, wrong: 0, odd: 0 },
      { from: '2026-01-31T12:41:00.000Z', until: '2026-01-31T12:59:00.000Z', done: 2, wrong: 0, odd: 0 },
    ],
    marks: [{ at: '2026-01-30T22:19:00.000Z', wrong: 1, odd: 0 }],
  })
  expect(daysOfWork(views, 'indexing', 3, now)).toEqual([
    { day: '2026-01-29', done: 0, wrong: 0, odd: 0 },
    { day: '2026-01-30', done: 2, wrong: 1, odd: 0 },
    { day: '2026-01-31', done: 3, wrong: 0, odd: 0 },
  ])
  expect(doneInHour(views, 'indexing', now.time)).toBe(2)
})

it('as of a moment nothing that came later is counted', () => {
  const views = folded(indexingActivity, night)
  const then = { time: '2026-01-31T12:45:00.000Z', isPast: true }
  expect(runsOf(views, 'indexing', '2026-01-30T18:00:00.000Z', then).runs).toHaveLength(3)
  expect(daysOfWork(views, 'indexing', 1, then)).toEqual([{ day: '2026-01-31', done: 2, wrong: 0, odd: 0 }])
  const earlier = { time: '2026-01-31T12:40:30.000Z', isPast: true }
  expect(runsOf(views, 'indexing', '2026-01-30T18:00:00.000Z', earlier).runs).toHaveLength(2)
  const inSlot = { time: '2026-01-30T22:18:00.000Z', isPast: true }
  // The ten minutes under way then had a failure later.
  expect(runsOf(views, 'indexing', '2026-01-30T18:00:00.000Z', inSlot)).toEqual({
    runs: [
      { from: '2026-01-30T22:01:00.000Z', until: '2026-01-30T22:01:00.000Z', done: 1, wrong: 0, odd: 0 },
    ],
    marks: [],
  })
})

it('what cannot be read stops the projection, and is never counted', () => {
  expect(() =>
    folded(ingestActivity, recorded('ingestJob-1', [{ type: 'JobMoved', data: { to: 'nowhere' } }])),
  ).toThrow(/ingest-activity stopped at position 0/)
})

it('nothing is said where nothing was folded', () => {
  const views = folded(indexingActivity, [])
  expect(runsOf(views, 'fixity', '2026-01-30T18:00:00.000Z', now)).toEqual({ runs: [], marks: [] })
  expect(daysOfWork(views, 'fixity', 1, now)).toEqual([{ day: '2026-01-31', done: 0, wrong: 0, odd: 0 }])
})

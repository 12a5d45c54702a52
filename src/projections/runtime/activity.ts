import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { activityView } from '../../domain/kernel/activity.ts'
import { decode } from '../../domain/kernel/codecs.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { type Projection, ProjectionStopped, type TablesOf } from './projection.ts'

/** Amounts that an event stands for. */
export interface Work {
  readonly done?: number
  readonly wrong?: number
  readonly odd?: number
}

interface Counted {
  readonly category: string
  readonly type: string
  /** Undefined if it is no work. Left: a sentence on why the event cannot be read. */
  count(event: RecordedEvent): Work | undefined | string
}

/** Counts events of a type. The codec needs only those fields that are the same in every schema of the type. */
export const counted = <Codec extends t.Mixed>(
  category: string,
  type: string,
  codec: Codec,
  count: (data: t.TypeOf<Codec>) => Work | undefined,
): Counted => ({
  category,
  type,
  count: ({ data }) => {
    const read = decode(codec, data)
    return isLeft(read) ? read.left : count(read.right)
  },
})

/** `2026-01-31T12:34:56.000Z` → `2026-01-31T12:30`. */
export const slotOf = (time: string): string => `${time.slice(0, '2026-01-31T12:3'.length)}0`
const dayOf = (time: string): string => time.slice(0, '2026-01-31'.length)

/** Folds a workflow's events into `<workflow>-activity`. */
export const activityProjection = (
  workflow: string,
  version: number,
  events: readonly Counted[],
): Projection => {
  const view = activityView(workflow)
  const byType = new Map(events.map((one) => [`${one.category} ${one.type}`, one]))
  return {
    name: view.name,
    version,
    description: view.description,
    views: [view],
    filter: {
      categories: [...new Set(events.map(({ category }) => category))],
      types: [...new Set(events.map(({ type }) => type))],
    },
    apply: (event, tables) => {
      const { recordedAt, type, stream } = event
      const work = byType.get(`${categoryOf(stream)} ${type}`)?.count(event)
      if (work === undefined) return
      if (typeof work === 'string') throw new ProjectionStopped(view.name, event, work)
      const table = (tables as TablesOf<[typeof view]>)[view.name]
      if (!table) return
      for (const [of, begin] of [
        ['slot', slotOf(recordedAt)],
        ['day', dayOf(recordedAt)],
      ] as const) {
        const before = table.get(of, begin)
        table.put({
          of,
          begin,
          done: (before?.done ?? 0) + (work.done ?? 0),
          wrong: (before?.wrong ?? 0) + (work.wrong ?? 0),
          odd: (before?.odd ?? 0) + (work.odd ?? 0),
          first: before?.first ?? recordedAt,
          last: recordedAt,
        })
      }
    },
  }
}

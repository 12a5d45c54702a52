import type { FixityItemEvent } from '../../domain/chain/inputs.ts'
import { chainSource, versionIn } from '../../domain/chain/outputs.ts'
import type { PartState } from '../../domain/chain/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeVersion, isFailing, isWell } from './standing.ts'
import type { ChainTables, PartRow } from './tables.ts'

/** Files of objects, by the events of fixity. An item that the chain did not record is none. */
export const partHandlers: Handlers<FixityItemEvent, ChainTables> = {
  ContentRecorded: ({ version }, event, tables) => {
    const named = event.metadata.actor === chainSource ? versionIn(version) : undefined
    const { store, path } = placeOf(event)
    const before = event.revision === 0n ? undefined : tables['chain-parts'].get(store, path)
    const of = named ?? before
    if (!of) return
    const { object, version: number } = of
    const put = named ? putRecorded : putPart
    put(tables, event, before, {
      ...(before ?? { ...nothingFound, store, path }),
      object,
      version: number,
      state: 'unchecked',
      settlement: null,
    })
  },
  ContentRemoved: (_, event, tables) =>
    changePart(tables, event, () => ({ state: 'withdrawn', finding: null, settlement: null })),
  FixityDecided: ({ outcome, because, followUps, evidence, observedAt: at }, event, tables) =>
    changePart(tables, event, (row) => {
      if (row.state === 'withdrawn') return undefined
      switch (outcome) {
        case 'success':
          if (evidence.content.status === 'read') return verified(at)
          // A finding from reading the bytes is settled by reading them again.
          return row.finding === null ? { state: 'unread', checkedAt: at } : undefined
        case 'failure':
          // The same observation was settled by a person, unless somebody has to settle it again.
          if (row.settlement !== null && !followUps.includes('resolve')) return { checkedAt: at }
          return { state: 'failed', finding: because, settlement: null, checkedAt: at }
        case 'unverified':
          return row.finding === null ? { state: 'unverified', checkedAt: at } : undefined
        // A record may be on its way: until the next look nothing is known.
        case 'retry':
          return isWell(row.state) ? { state: 'unchecked', settlement: null } : undefined
        default:
          return undefined
      }
    }),
  CheckParked: ({ error }, event, tables) =>
    changePart(tables, event, ({ state }) =>
      state === 'withdrawn' ? undefined : { state: 'parked', finding: error },
    ),
  ResolutionClosed: ({ how, reason }, event, tables) =>
    changePart(tables, event, ({ state, checkedAt }) => {
      if (state === 'withdrawn') return undefined
      if (how === 'accepted') return { state: 'accepted', finding: null, settlement: how }
      if (how === 'lost') return { state: 'lost', finding: `declared lost: ${reason}`, settlement: how }
      // Closed by a check that read no bytes. The others are claims, which the next check verifies.
      return how === 'verified' && isFailing(state)
        ? { state: 'unread', finding: null, checkedAt }
        : undefined
    }),
}

export const verified = (at: string) =>
  ({ state: 'verified', finding: null, settlement: null, checkedAt: at }) as const

const nothingFound = {
  finding: null,
  since: null,
  checkedAt: null,
  settlement: null,
  revision: 0,
  failedBy: null,
  clearedBy: null,
} as const

const placeOf = ({ stream }: RecordedEvent): { readonly store: string; readonly path: string } => {
  const id = idOf(stream)
  const slash = id.indexOf('/')
  return { store: id.slice(0, slash), path: id.slice(slash + 1) }
}

type Change = Partial<Pick<PartRow, 'state' | 'finding' | 'settlement' | 'checkedAt'>>

const changePart = (
  tables: ChainTables,
  event: RecordedEvent,
  change: (row: PartRow) => Change | undefined,
): void => {
  const { store, path } = placeOf(event)
  const before = tables['chain-parts'].get(store, path)
  if (!before) return
  putPart(tables, event, before, { ...before, ...change(before) })
}

const putPart = (
  tables: ChainTables,
  event: RecordedEvent,
  before: PartRow | undefined,
  after: PartRow,
): void => {
  putRecorded(tables, event, before, after)
  const isBack = before?.state === 'withdrawn' && after.state !== 'withdrawn'
  if (isBack) addTo(tables, after, { parts: 1, verified: 0, failing: 0 }, event.recordedAt)
}

/** As the chain has it recorded: its handing over counts it. */
const putRecorded = (
  tables: ChainTables,
  event: RecordedEvent,
  before: PartRow | undefined,
  after: PartRow,
): void => {
  const changed = { ...transition(before, after, event), revision: Number(event.revision) }
  tables['chain-parts'].put(changed)
  countPart(tables, before, changed, event.recordedAt)
}

/** Notes by which event it ceased to be well, and by which it was well again. */
export const transition = (
  before: PartRow | undefined,
  after: PartRow,
  { position, recordedAt }: Pick<RecordedEvent, 'position' | 'recordedAt'>,
): PartRow => {
  const [was, is] = [before?.finding != null, after.finding !== null]
  if (was === is) return after
  return is
    ? { ...after, since: recordedAt, failedBy: Number(position) }
    : { ...after, since: null, clearedBy: Number(position) }
}

type Counted = Pick<PartRow, 'object' | 'version' | 'state' | 'finding'>

/** Parts that a version gains come with its handing over; those that move to another version, or go, leave it. */
const countPart = (tables: ChainTables, before: Counted | undefined, after: Counted, at: string): void => {
  const hasMoved =
    before !== undefined && (before.object !== after.object || before.version !== after.version)
  const hasLeft = before && before.state !== 'withdrawn' && (hasMoved || after.state === 'withdrawn')
  const less = { parts: hasLeft ? -1 : 0, ...(before ? counts(before, -1) : none) }
  const more = { parts: 0, ...counts(after, 1) }
  if (before && hasMoved) {
    addTo(tables, before, less, at)
    addTo(tables, after, more, at)
  } else addTo(tables, after, sumOf(less, more), at)
}

const sumOf = (one: Sums, other: Sums): Sums => ({
  parts: one.parts + other.parts,
  verified: one.verified + other.verified,
  failing: one.failing + other.failing,
})

const none = { verified: 0, failing: 0 }

const counts = (
  { state, finding }: { readonly state: PartState; readonly finding: string | null },
  times: 1 | -1,
) => ({
  verified: isWell(state) ? times : 0,
  failing: finding !== null ? times : 0,
})

export interface Sums {
  readonly parts: number
  readonly verified: number
  readonly failing: number
}

/** Adds to the sums of a version, if there is something to add: an object may have a million parts. */
export const addTo = (
  tables: ChainTables,
  { object, version }: Pick<PartRow, 'object' | 'version'>,
  { parts, verified, failing }: Sums,
  at: string,
): void => {
  if (parts === 0 && verified === 0 && failing === 0) return
  const row = tables['chain-versions'].get(object, version)
  if (!row) return
  changeVersion(
    tables,
    row,
    {
      ...row,
      parts: row.parts + parts,
      verified: row.verified + verified,
      failing: row.failing + failing,
    },
    at,
  )
}

import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { type EventPlace, placeOf } from '../../domain/kernel/event-place.ts'
import type { Board } from '../../domain/research/selection/board.ts'
import { createBoard } from '../../domain/research/selection/create-board.ts'
import {
  clipCategory,
  deskCategory,
  episodeCategory,
  researcherCategory,
} from '../../domain/research/terms.ts'
import { Away } from '../../ports/away.ts'
import type { EventFilter, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { holds } from '../runtime/same-log.ts'
import { readSnapshot, type SnapshotHeader } from './board-snapshot.ts'

/** What the board is folded from. */
export const boardFilter: EventFilter = {
  categories: [episodeCategory, clipCategory, researcherCategory, deskCategory],
}

/** By this name the assigner keeps its board. */
export const boardName = 'research-assigner'

/** The board, and where in the log it stands. */
export interface LoadedBoard {
  /** Identity of the log. */
  readonly log: string
  readonly board: Board
  /** The log is folded in up to here. */
  folded: bigint
  /** The last event that is, of those that concern the board. */
  last: EventPlace | undefined
  /** The time it was brought to; empty at first. */
  advancedTo: string
  /** Events folded in that the snapshot lacks. */
  unsaved: number
}

/** A time is ISO 8601 UTC with milliseconds, and events that the log took at that very one are in. */
export type Until = { readonly position: bigint } | { readonly time: string }

/** What time it was then: a position stands for that of the last event up to it. */
export const timeOf = (until: Until, { last }: LoadedBoard, now: string): string =>
  'time' in until ? until.time : (last?.recordedAt ?? now)

/** As it was kept last; where there is nothing to be trusted, empty. Throws `Away`. */
export const keptBoard = async (
  name: string,
  eventStore: EventStore,
  snapshots: SnapshotStore,
  until?: Until,
): Promise<LoadedBoard> => {
  const identity = await eventStore.identity()()
  if (isLeft(identity)) throw new Away(identity.left.reason)
  const log = identity.right
  const bytes = await snapshots.load(name)
  const snapshot = bytes && readSnapshot(bytes)
  const isOfUse =
    snapshot?.header.log === log &&
    isWithin(snapshot.header, until) &&
    (await holds(eventStore, snapshot.header.last))
  const board = isOfUse ? snapshot.board() : undefined
  if (!snapshot || !board) return emptyBoard(log)
  const { last, advancedTo } = snapshot.header
  return { log, board, folded: BigInt(last.position), last, advancedTo, unsaved: 0 }
}

export const emptyBoard = (log: string): LoadedBoard => ({
  log,
  board: createBoard(),
  folded: -1n,
  last: undefined,
  advancedTo: '',
  unsaved: 0,
})

const pageSize = 2000

/**
 * All that the log says up to now, or up to a point of the past; nothing is written. The board is as of the last event:
 * whoever asks it brings it to the time in question. Throws `Away`, also when `signal` aborts.
 */
export const loadBoard = async (
  name: string,
  eventStore: EventStore,
  snapshots: SnapshotStore,
  signal: AbortSignal,
  { until }: { readonly until?: Until } = {},
): Promise<LoadedBoard> => {
  const loaded = await keptBoard(name, eventStore, snapshots, until)
  await bringUp(loaded, eventStore, signal, until)
  return loaded
}

/** Folds in what the log has said since. Throws `Away`, also when `signal` aborts. */
export const bringUp = async (
  loaded: LoadedBoard,
  eventStore: EventStore,
  signal: AbortSignal,
  until?: Until,
): Promise<void> => {
  for (;;) {
    // Others have their turn, and may call it off.
    await new Promise((resolve) => setImmediate(resolve))
    if (signal.aborted) throw new Away('the board is no longer wanted')
    const page = await eventStore.readAll(loaded.folded, boardFilter, pageSize)()
    if (isLeft(page)) throw new Away(page.left.reason)
    const { events, position, caughtUp } = page.right
    for (const event of events) {
      if (isBehind(event, until)) return
      foldEvent(loaded, event)
    }
    loaded.folded = position
    if (caughtUp) return
  }
}

/** Throws `Away` where the event cannot be read: the board then stands before it. */
export const foldEvent = (loaded: LoadedBoard, event: RecordedEvent): void => {
  const obstacle = loaded.board.fold(event)
  if (obstacle !== undefined)
    throw new Away(
      `${event.stream} at position ${event.position}: ${obstacle}. No work is handed out until it can be read: ` +
        'start the version of Fonds that wrote it',
    )
  loaded.folded = event.position
  loaded.last = placeOf(event)
  loaded.unsaved++
}

const isBehind = ({ position, recordedAt }: RecordedEvent, until: Until | undefined): boolean =>
  until !== undefined && ('time' in until ? recordedAt > until.time : position > until.position)

const isWithin = ({ last, advancedTo }: SnapshotHeader, until: Until | undefined): boolean => {
  if (until === undefined) return true
  if ('position' in until) return BigInt(last.position) <= until.position
  return last.recordedAt <= until.time && advancedTo <= until.time
}

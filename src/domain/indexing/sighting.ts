import * as E from 'fp-ts/lib/Either.js'
import type { Adopt, Sight, Withdraw } from './commands.ts'
import { heeded } from './embargo.ts'
import type { IndexingEvent } from './events.ts'
import { type KnownKind, kindOf } from './kind.ts'
import { comparePlaces, type Place, stillAt } from './place.ts'
import { type Decision, unknownFile } from './rejections.ts'
import { type FileState, isHeldBack } from './state.ts'

/* Decisions about what lists say. The same again is no event (W6), and nothing follows from what a list lacks (W4). */

export const sight = (command: Sight, state: FileState): Decision =>
  E.right([
    // In front: no reader of the log knows of the file before its embargo.
    ...heeded(command, state),
    ...(state.known ? sightedAgain(command, state) : [discovered(command)]),
  ])

const discovered = ({ file, place, kind, policy, at }: Sight): IndexingEvent => {
  const known = kind ?? kindOf(file.name)
  const dueAt = known === 'unknown' ? null : stillAt(place, at, policy.graceMillis)
  return { type: 'FileDiscovered', data: { ...place, kind: known, at, dueAt } }
}

const sightedAgain = (command: Sight, state: FileState): readonly IndexingEvent[] => {
  const { place, policy, at } = command
  const kind = command.kind ?? kindFound(command, state)
  // A withdrawn file may well stay in its place.
  if (state.status === 'withdrawn') return []
  const dueAt = stillAt(place, at, policy.graceMillis)
  if (kind && kind !== state.kind) return [{ type: 'KindGiven', data: { kind, at, dueAt } }]
  if (!state.place) return [{ type: 'FileMoved', data: { ...place, at, dueAt: state.dueAt } }]
  return place.location === state.place.location
    ? sightedInPlace(command, state, state.place)
    : sightedElsewhere(command, state)
}

/** The kind of a file that was sighted before its suffix was one of those that are read. */
const kindFound = ({ file }: Sight, state: FileState): KnownKind | undefined => {
  const found = state.kind === 'unknown' ? kindOf(file.name) : 'unknown'
  return found === 'unknown' ? undefined : found
}

const sightedInPlace = (
  { place, policy, at }: Sight,
  state: FileState,
  known: Place,
): readonly IndexingEvent[] => {
  const compared = comparePlaces(known, place)
  if (compared === 'changed') {
    const waits = state.kind === 'unknown' || isHeldBack(state)
    const dueAt = waits ? null : stillAt(place, at, policy.graceMillis)
    return [{ type: 'ContentChanged', data: { ...known, ...place, at, dueAt } }]
  }
  if (state.isMissing && !isHeldBack(state)) return [{ type: 'FileSeenAgain', data: { at, dueAt: at } }]
  return compared === 'more'
    ? [{ type: 'FileMoved', data: { ...known, ...place, at, dueAt: state.dueAt } }]
    : []
}

/** Handles one name in two places. Sizes and dates prove nothing: the bytes are compared. */
const sightedElsewhere = (
  { place, policy, at }: Sight,
  { copies, isMissing, kind }: FileState,
): readonly IndexingEvent[] => {
  if (isMissing)
    return [{ type: 'FileMoved', data: { ...place, at, dueAt: stillAt(place, at, policy.graceMillis) } }]
  const copy = copies.find((one) => one.place.location === place.location)
  if (kind === 'unknown' || (copy && comparePlaces(copy.place, place) !== 'changed')) return []
  return [{ type: 'CopySighted', data: { ...place, at, dueAt: stillAt(place, at, policy.graceMillis) } }]
}

export const adopt = (command: Adopt, state: FileState): Decision => {
  const { file, place, kind, at } = command
  const embargo = heeded(command, state)
  if (state.status === 'indexed' || state.status === 'withdrawn') return E.right(embargo)
  // For a name without a known kind, `content`: its records were read when it was indexed.
  const known = kind ?? (state.kind === 'unknown' ? kindOf(file.name) : state.kind)
  const data = { kind: known === 'unknown' ? 'content' : known, at, ...(place && { place }) } as const
  return E.right([{ type: 'FileAdopted', data }, ...embargo])
}

export const withdraw = ({ file, reason, at }: Withdraw, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  if (state.status === 'withdrawn') return E.right([])
  const data = { fence: state.lastFence, at, ...(reason !== undefined && { reason }) }
  return E.right([{ type: 'FileWithdrawn', data }])
}

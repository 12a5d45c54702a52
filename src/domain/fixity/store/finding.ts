import * as E from 'fp-ts/lib/Either.js'
import type { DeclareGone, NoteGone, Sight } from './commands.ts'
import { awaySecondsOf, type StoreEvent } from './events.ts'
import { type Decision, reject } from './rejections.ts'
import { isAwayNews, isNews, standingOf, whereItIs } from './sightings.ts'
import type { StoreRegistration } from './state.ts'

/* Decisions about whether a store's content is found at all. */

/** A machine reports a thing once, and another reason anew. What it saw before its last word is old. */
export const sight = (command: Sight, { kind, policy, sightings }: StoreRegistration): Decision => {
  const { store, place, isThere, why, at } = command
  if (kind === 'external') return external(store)
  const awaySeconds = awaySecondsOf(policy)
  const last = sightings.words[place]
  if (last && at <= last.at) return E.right([])
  if (!isThere)
    return E.right(isAwayNews(sightings, place, why) ? [{ type: 'StoreAway', data: { place, why, at } }] : [])
  if (!isNews(sightings, place, at, awaySeconds)) return E.right([])
  const before = standingOf(sightings, awaySeconds, at)
  const since = before.kind === 'there' ? {} : { since: before.since }
  return E.right([{ type: 'StoreReturned', data: { place, at, ...since } }])
}

export const declareGone = (command: DeclareGone, state: StoreRegistration): Decision => {
  const { store, reason, at } = command
  const { kind, policy, sightings } = state
  if (kind === 'external') return external(store)
  const [place] = whereItIs(sightings, awaySecondsOf(policy), at)
  if (place !== undefined)
    return reject('not-away', `content of store ${store} is found on ${place}: it is not gone`)
  return E.right(sightings.goneAt === null ? [{ type: 'StoreGone', data: { reason, at } }] : [])
}

export const noteGone = (
  { at }: NoteGone,
  { policy, sightings }: StoreRegistration,
): readonly StoreEvent[] => {
  const standing = standingOf(sightings, awaySecondsOf(policy), at)
  if (sightings.goneAt !== null || standing.kind !== 'gone') return []
  const reason = `nothing of it was found since ${standing.since}`
  return [{ type: 'StoreGone', data: { reason, at } }]
}

const external = (store: string): Decision =>
  reject(
    'external-store',
    `store ${store} is external: its reader reports on each item, and on none while it is unavailable`,
  )

import * as E from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import { type Known, type Place, placeOf, placeText } from '../../../domain/indexing/changes/place.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { CaptureSource } from '../captures/capture-source.ts'
import { type ChangeItem, changePage } from './change-page.ts'
import { embargoesMoved, rangesToResend } from './ranges-to-resend.ts'

interface NextChanges {
  readonly items: readonly ChangeItem[]
  /** Value of `since` in the next request. */
  readonly next: string
  /** True if more changes exist already. */
  readonly more: boolean
}

export interface ChangesAsked {
  /** `next` of the answer before; absent: all is sent. */
  readonly since?: string | undefined
  readonly size: number
  readonly now: string
  readonly signal: AbortSignal
}

/**
 * The next part of the changes that a secondary lacks. Left: the reason why it must start over. Throws
 * `UnavailableError`.
 */
export const nextChanges = async (
  eventStore: EventStore,
  openSource: () => Promise<CaptureSource>,
  { since, size, now, signal }: ChangesAsked,
): Promise<E.Either<string, NextChanges>> => {
  const log = await orThrow(eventStore.identity())
  const place = since === undefined ? undefined : placeOf(since)
  if (since !== undefined && !place) return E.left('it is not what an answer gave as `next`')
  if (place && place.log !== log) return E.left('it is of another log')
  // Read before the index and the rules: later changes come in the next round.
  const rules = await orThrow(eventStore.head())
  const source = await openSource()
  const known: Known = { index: await source.index.position(), rules, at: now }
  const reached = place?.on ? place.from : place?.to
  if (reached && (reached.index > known.index || reached.rules > rules))
    return E.left('it is behind the end of the log, or of the index: an older one was put in its place')

  const round: Omit<Place, 'on' | 'log'> = place?.on ? place : { to: known, ...(place && { from: place.to }) }
  const ranges = round.from ? await rangesToResend(eventStore, round.from, round.to) : [{ from: '' }]
  const embargoes = round.from && (await embargoesMoved(eventStore, round.from, round.to))
  const seenOtherwise = { ranges, ...embargoes }
  const { items, on } = await changePage(
    source,
    { ...round, ...(place?.on && { on: place.on }) },
    seenOtherwise,
    {
      size,
      signal,
    },
  )
  const next: Place = on ? { log, ...round, on } : { log, to: round.to }
  return E.right({ items, next: placeText(next), more: on !== undefined })
}

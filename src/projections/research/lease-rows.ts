import { idOf } from '../../domain/kernel/event.ts'
import type { EpisodeEvent, LeaseEffect } from '../../domain/research/episode/events.ts'
import type { Handlers } from '../runtime/projection.ts'
import { holdsBit, withBit } from './bits.ts'
import { countHour } from './hour-rows.ts'
import { changeResearcher } from './researcher-rows.ts'
import { endSilence, fallSilent } from './silence-rows.ts'
import type { LeaseRow, ResearchTables } from './tables.ts'

type Ended = 'finished' | 'failed' | 'released' | 'revoked' | 'expired'

/** Changes a lease, unless it has ended or was never granted. */
const changeLease = (
  tables: ResearchTables,
  lease: string | undefined,
  change: (row: LeaseRow) => Partial<Omit<LeaseRow, 'lease'>>,
): void => {
  if (lease === undefined) return
  const row = tables['research-leases'].get(lease)
  if (!row || row.state === 'ended') return
  const after = { ...row, ...change(row) }
  tables['research-leases'].put(after)
  // The list of clips is deleted: hundreds of thousands of leases would fill the view.
  if (after.state === 'ended') tables['research-lease-clips'].delete(lease)
}

const ended = (how: Ended, at: string, reason: string | null = null) =>
  ({ state: 'ended', ended: how, endedAt: at, reason, done: null }) as const

interface Word {
  readonly lease?: string | undefined
  readonly clip?: string | undefined
  readonly effect: LeaseEffect
  readonly at: string
}

/** A result under a lease: its effect, and one more clip done if the clip is in the lease (F28). */
export const leaseResult = (
  tables: ResearchTables,
  { lease, clip, effect, at }: Word & { clip: string },
): void =>
  changeLease(tables, lease, (row) => {
    const own = tables['research-lease-clips'].get(row.lease)?.clips ?? []
    return {
      ...withDone(row, own.indexOf(clip)),
      lastResultAt: at,
      ...effectOf(row, effect, at, 'finished'),
    }
  })

/** `place`: the clip's index in the lease; -1 if it is not in it. */
const withDone = ({ done, doneCount }: LeaseRow, place: number): Partial<LeaseRow> => {
  const before = done ?? ''
  if (place === -1 || holdsBit(before, place)) return {}
  return { done: withBit(before, place), doneCount: (doneCount ?? 0) + 1 }
}

export const leaseFailure = (tables: ResearchTables, { lease, clip, effect, at }: Word): void =>
  changeLease(tables, lease, (row) => ({
    failedCount: (row.failedCount ?? 0) + (clip === undefined ? 0 : 1),
    ...effectOf(row, effect, at, clip === undefined ? 'failed' : 'finished'),
  }))

const effectOf = ({ deadline }: LeaseRow, effect: LeaseEffect, at: string, how: Ended): Partial<LeaseRow> => {
  if (effect.kind === 'revoked') return ended(how, at)
  return effect.kind === 'extended' ? { deadline: later(deadline, effect.deadline) } : {}
}

/** Deadlines never move back (F13). */
const later = (one: string, other: string): string => (one > other ? one : other)

type LeaseEvent = Extract<
  EpisodeEvent,
  {
    readonly type:
      | 'LeaseGranted'
      | 'WorkItemTaken'
      | 'WorkItemLapsed'
      | 'LeaseExtended'
      | 'LeaseExpired'
      | 'LeaseReleased'
      | 'LeaseRevoked'
  }
>

export const leaseHandlers: Handlers<LeaseEvent, ResearchTables> = {
  LeaseGranted: ({ lease, clips, at, notAfter, deadline }, event, tables) => {
    tables['research-leases'].put({
      ...untouched,
      lease,
      episode: idOf(event.stream),
      state: 'waiting',
      clipCount: clips.length,
      grantedAt: at,
      notAfter,
      deadline,
    })
    tables['research-lease-clips'].put({ lease, clips })
    countHour(tables, at, { granted: 1 })
  },
  WorkItemTaken: ({ lease, researcher, at }, _, tables) => {
    changeLease(tables, lease, () => ({ state: 'taken', researcher, takenAt: at }))
    changeResearcher(tables, researcher, ({ taken }) => ({ taken: (taken ?? 0) + 1 }))
  },
  WorkItemLapsed: ({ lease }, _, tables) =>
    changeLease(tables, lease, ({ state }) => (state === 'waiting' ? { state: 'lapsed' } : {})),
  LeaseExtended: ({ lease, deadline }, _, tables) =>
    changeLease(tables, lease, (row) => ({ deadline: later(row.deadline, deadline) })),
  LeaseExpired: (data, event, tables) => {
    const { lease, at } = data
    changeLease(tables, lease, () => ended('expired', at))
    fallSilent(tables, idOf(event.stream), data)
    countHour(tables, at, { expired: 1 })
  },
  LeaseReleased: ({ lease, reason, at }, event, tables) => {
    changeLease(tables, lease, () => ended('released', at, reason))
    endSilence(tables, idOf(event.stream))
  },
  LeaseRevoked: ({ lease, reason, at }, _, tables) =>
    changeLease(tables, lease, () => ended('revoked', at, reason)),
}

/** Columns of a lease that nobody has taken yet. */
const untouched = {
  researcher: null,
  done: '',
  doneCount: 0,
  failedCount: 0,
  takenAt: null,
  lastResultAt: null,
  endedAt: null,
  ended: null,
  reason: null,
}

import type { Observe } from '#src/domain/matching/commands.ts'
import { workDecider } from '#src/domain/matching/decide.ts'
import type { Facts, WorkEvent } from '#src/domain/matching/events.ts'
import { specify } from '../../given.ts'

/* Commands and events of one work, as tests want them. */

export const given = specify(workDecider)
export const at = '2026-01-31T12:00:00.000Z'
export const by = { work: 'a', actor: 'ada', at }

export const observe = (sourceVersion: number, more: Partial<Observe> = {}): Observe => ({
  type: 'Observe',
  ...by,
  source: 'sierra',
  sourceVersion,
  sourceModifiedAt: at,
  state: 'visible',
  links: [],
  ...more,
})

const facts = (sourceVersion: number, more: Partial<Facts>): Facts => ({
  source: 'sierra',
  sourceVersion,
  sourceModifiedAt: at,
  state: 'visible',
  links: [],
  at,
  ...more,
})

export const observed = (sourceVersion: number, more: Partial<Facts> = {}): WorkEvent => ({
  type: 'WorkObserved',
  data: facts(sourceVersion, more),
})

export const corrected = (sourceVersion: number, more: Partial<Facts> = {}): WorkEvent => ({
  type: 'WorkCorrected',
  data: facts(sourceVersion, more),
})

/** Version 3, corrected by a person or after one. */
export const correctedBy = (
  more: Partial<Facts>,
  by: { readonly reason?: string; readonly dropped?: string[]; readonly restored?: string[] },
): WorkEvent => ({ type: 'WorkCorrected', data: { ...facts(3, more), ...by } })

export const handedOver: WorkEvent = {
  type: 'WorkHandedOver',
  data: { from: 'sierra', to: 'folio', reason: 'migration', at },
}

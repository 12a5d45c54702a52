import type { Lease } from '../../kernel/lease.ts'
import { extended } from '../../kernel/task.ts'
import type { BatchEvent, BatchItem } from './events.ts'

export interface OpenBatch {
  readonly status: 'open'
  readonly store: string
  readonly items: readonly BatchItem[]
  readonly lease: Lease
}

/**
 * Undefined before it is claimed. `expired`: the failed attempts of its items are yet to be written. Of a batch that is over nothing
 * more is needed.
 */
export type BatchState = OpenBatch | { readonly status: 'expired' | 'over' } | undefined

export const initial: BatchState = undefined

const over = { status: 'over' } as const

export const evolve = (state: BatchState, { type, data }: BatchEvent): BatchState => {
  switch (type) {
    case 'BatchClaimed': {
      const { store, items, holder, fence, deadline, millis } = data
      return { status: 'open', store, items, lease: { holder, fence, deadline, millis } }
    }
    case 'BatchExtended':
      return state?.status === 'open' ? extended(state, data.deadline) : state
    case 'BatchExpired':
      return data.isSettledApart ? { status: 'expired' } : over
    case 'BatchReleased':
    case 'BatchSettled':
    case 'BatchChecked':
      return over
  }
}

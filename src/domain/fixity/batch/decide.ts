import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Command, Decided, Decider } from '../../kernel/decider.ts'
import { checkFence, grant, type Lease, restate, type Silence } from '../../kernel/lease.ts'
import { hasRunOut, whyRunOut } from '../../kernel/task.ts'
import { type BatchEvent, type BatchItem, batchEvents, category, type IntactGroup } from './events.ts'
import { type BatchState, evolve, initial } from './state.ts'

/**
 * Claims items of one store. An item may also be in another batch: a claimer of many items checks what others claimed
 * before.
 */
interface ClaimBatch extends Command {
  readonly type: 'ClaimBatch'
  readonly store: string
  readonly items: readonly BatchItem[]
  readonly holder: string
  readonly deadline: string
  /** How long the holder may be silent. */
  readonly millis: number
}

interface ExtendBatch extends Command {
  readonly type: 'ExtendBatch'
  readonly fence: number
  readonly deadline: string
}

/** From its holder, or from a person. */
interface ReleaseBatch extends Command {
  readonly type: 'ReleaseBatch'
  readonly reason: string
}

/** From the ticker. No effect while the claim is active, unless its holder was silent for longer than allowed. */
interface ExpireBatch extends Command {
  readonly type: 'ExpireBatch'
  readonly silence?: Silence | undefined
}

/** Sent once the failed attempts of its items are written. No effect unless the batch has expired. */
interface SettleBatch extends Command {
  readonly type: 'SettleBatch'
}

/** The holder's findings. They end the batch: items without a finding are free again. */
interface ReportBatch extends Command {
  readonly type: 'ReportBatch'
  readonly worker: string
  readonly intact: readonly IntactGroup[]
  readonly others: number
}

export type BatchCommand = ClaimBatch | ExtendBatch | ReleaseBatch | ExpireBatch | SettleBatch | ReportBatch

export interface BatchRejection {
  readonly code: 'held' | 'fenced' | 'unknown-batch' | 'not-in-batch'
  readonly message: string
}

/** The result of a claim is its lease. */
type Decision = E.Either<BatchRejection, Decided<BatchEvent, Lease>>

const decide = (command: BatchCommand, state: BatchState): Decision => {
  if (command.type === 'ClaimBatch') return claim(command, state)
  if (state === undefined) return reject('unknown-batch', 'nobody claimed such a batch; check the spelling')
  if (command.type === 'SettleBatch')
    return E.right(state.status === 'expired' ? [{ type: 'BatchSettled', data: { at: command.at } }] : [])
  if (state.status !== 'open')
    return command.type === 'ExpireBatch'
      ? E.right([])
      : reject('fenced', 'the batch is over, its items are checked in another one; drop the result')
  const { lease, store, items } = state
  switch (command.type) {
    case 'ExtendBatch': {
      const { fence, at, deadline } = command
      return pipe(
        checkFence(lease, fence),
        E.chain(() => restate(lease, fence, at, deadline)),
        E.map((extended) => [{ type: 'BatchExtended', data: { fence, deadline: extended.deadline } }]),
      )
    }
    case 'ReleaseBatch':
      return E.right([{ type: 'BatchReleased', data: { reason: command.reason } }])
    case 'ExpireBatch': {
      if (!hasRunOut(lease, command)) return E.right([])
      const error = whyRunOut(lease, command)
      const data = { store, items: [...items], error, at: command.at, isSettledApart: true as const }
      return E.right([{ type: 'BatchExpired', data }])
    }
    case 'ReportBatch':
      return report(command, state)
  }
}

const claim = ({ store, items, holder, deadline, millis, at }: ClaimBatch, state: BatchState): Decision => {
  if (state) return reject('held', 'such a batch was claimed before; take another id')
  return pipe(
    grant(undefined, 0, holder, at, deadline),
    E.map((lease) => ({
      events: [
        {
          type: 'BatchClaimed' as const,
          data: { store, items: [...items], holder, fence: lease.fence, deadline, millis },
        },
      ],
      result: lease,
    })),
  )
}

/** Checks that each entry names a claimed item at its claimed revision. */
const report = (
  { worker, intact, others }: ReportBatch,
  { store, items }: Extract<BatchState, { status: 'open' }>,
): Decision => {
  const claimed = new Map(items.map(({ path, revision }) => [path, revision]))
  const stranger = intact
    .flatMap((group) => group.items)
    .find(({ path, revision }) => claimed.get(path) !== revision)
  if (stranger)
    return reject(
      'not-in-batch',
      `${store}/${stranger.path} was not claimed at revision ${stranger.revision}`,
    )
  return E.right([{ type: 'BatchChecked', data: { store, worker, intact: [...intact], others } }])
}

const reject = (code: BatchRejection['code'], message: string): E.Either<BatchRejection, never> =>
  E.left({ code, message })

/** Decides about batches: checks of many items that a worker does together. */
export const batchDecider: Decider<BatchState, BatchCommand, BatchEvent, BatchRejection, Lease> = {
  category,
  events: batchEvents,
  initial,
  evolve,
  decide,
}

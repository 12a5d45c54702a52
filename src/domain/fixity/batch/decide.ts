import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Command, Decided, Decider } from '../../kernel/decider.ts'
import { grant, type Lease } from '../../kernel/lease.ts'
import { type ClaimTerms, type ClaimUpkeep, keepClaim, type Task } from '../../kernel/task.ts'
import { type BatchEvent, type BatchItem, batchEvents, category, type IntactGroup } from './events.ts'
import { type BatchState, evolve, initial, type OpenBatch } from './state.ts'

/**
 * Claims items of one store. An item may also be in another batch: a claimer of many items checks what others claimed
 * before.
 */
interface ClaimBatch extends Command, ClaimTerms {
  readonly type: 'ClaimBatch'
  readonly store: string
  readonly items: readonly BatchItem[]
}

/** From a person, whoever holds the claim. */
interface EndClaim extends Command {
  readonly type: 'EndClaim'
  readonly reason: string
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

export type BatchCommand = ClaimBatch | ClaimUpkeep | EndClaim | SettleBatch | ReportBatch

export interface BatchRejection {
  readonly code: 'held' | 'fenced' | 'unknown-batch' | 'not-in-batch'
  readonly message: string
}

/** The result of a claim is its lease. */
type Decision = E.Either<BatchRejection, Decided<BatchEvent, Lease>>

const decide = (command: BatchCommand, state: BatchState): Decision => {
  if (command.type === 'ClaimBatch') return claim(command, state)
  if (state === undefined)
    return reject('unknown-batch', 'no batch with this id was claimed; check the spelling')
  if (command.type === 'SettleBatch')
    return E.right(state.status === 'expired' ? [{ type: 'BatchSettled', data: { at: command.at } }] : [])
  if (state.status !== 'open')
    return command.type === 'ExpireClaim'
      ? E.right([])
      : reject('fenced', 'the batch has ended, its items are checked in another one; drop the result')
  switch (command.type) {
    case 'ExtendClaim':
    case 'ReleaseClaim':
    case 'ExpireClaim':
      return keepClaim(batchTask, command, state)
    case 'EndClaim':
      return E.right([{ type: 'BatchReleased', data: { reason: command.reason } }])
    case 'ReportBatch':
      return report(command, state)
  }
}

const batchTask: Omit<Task<OpenBatch, BatchEvent>, 'evolve'> = {
  claims: ({ lease }) => ({ lease, lastFence: lease.fence }),
  extended: (data) => ({ type: 'BatchExtended', data }),
  released: ({ reason }) => [{ type: 'BatchReleased', data: { reason } }],
  expired: ({ why: error, at }, { store, items }) => [
    { type: 'BatchExpired', data: { store, items: [...items], error, at, isSettledApart: true } },
  ],
}

const claim = (command: ClaimBatch, state: BatchState): Decision => {
  const { store, items, holder, deadline, millis, at } = command
  if (state) return reject('held', 'a batch with this id was claimed before; use another id')
  return pipe(
    grant(undefined, 0, holder, at, deadline),
    E.map((lease) => {
      const data = { store, items: [...items], holder, fence: lease.fence, deadline, millis }
      return { events: [{ type: 'BatchClaimed', data }], result: lease }
    }),
  )
}

/** Checks that each entry names a claimed item at its claimed revision. */
const report = ({ worker, intact, others }: ReportBatch, { store, items }: OpenBatch): Decision => {
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

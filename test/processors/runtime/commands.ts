import { isLeft } from 'fp-ts/lib/Either.js'
import type { Origin } from '../../../src/domain/kernel/event.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { CommandEnvelope } from '../../../src/processors/runtime/decide-command.ts'
import { type Execute, executor, type Outcome } from '../../../src/processors/runtime/execute.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import type { AccountCommand } from './account.ts'

/* Commands on one account, and processes that execute them. */

export const stream = 'account-1'
export const at = '2026-01-01T00:00:00.000Z'
export const noPause = async () => {}

type Where = Omit<CommandEnvelope, 'command'>

let causes = 0
export const envelope = (
  command: Partial<AccountCommand> & { type: AccountCommand['type'] },
  more: Partial<Where> = {},
): CommandEnvelope<AccountCommand> => ({
  stream,
  command: { actor: 'tester', at, ...command } as AccountCommand,
  causationId: `cause-${++causes}`,
  correlationId: 'conversation',
  ...more,
})
export const deposit = (amount: number, more: Partial<Where> = {}) =>
  envelope({ type: 'Deposit', amount }, more)
export const withdraw = (amount: number, more: Partial<Where> = {}) =>
  envelope({ type: 'Withdraw', amount }, more)
export const freeze = (more: Partial<Where> = {}) => envelope({ type: 'Freeze' }, more)

export const executorOn = (store: EventStore): Execute => executor(store, streamStates(store), noPause)

/** The outcome in a word. */
export const kindOf = (outcome: Outcome): string =>
  isLeft(outcome)
    ? outcome.left.kind
    : outcome.right.kind === 'rejected'
      ? outcome.right.rejection.code
      : outcome.right.kind

export const origin = (offset: number, log = 'log-1'): Origin => ({
  log,
  topic: 'orders',
  partition: 0,
  offset: String(offset),
})

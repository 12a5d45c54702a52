import { orThrow } from '../../async/unavailable.ts'
import { archiveDecider } from '../../domain/chain/archive/decide.ts'
import { archiveStream } from '../../domain/chain/archive/events.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import type { RuleName } from '../../domain/chain/rules.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Execute } from '../runtime/execute.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

export interface BeginDependencies {
  readonly eventStore: Pick<EventStore, 'head'>
  readonly execute: Execute
  readonly states: StreamStates
  readonly clock: Clock
}

/**
 * Returns the position behind which the rule holds in this log. The first call of all notes the present end of the log: what was
 * stored before is chained when a person wants that. Throws `UnavailableError`.
 */
export const beginOf = (
  rule: RuleName,
  { eventStore, execute, states, clock }: BeginDependencies,
): (() => Promise<bigint>) => {
  let known: bigint | undefined
  const load = async () => (await orThrow(() => states.load(archiveDecider, archiveStream))).state.begun
  return async () => {
    known ??= (await load()).get(rule)
    if (known !== undefined) return known
    const after = await orThrow(eventStore.head())
    const command = { type: 'BeginRule', rule, after, actor: chainSource, at: clock.now() } as const
    await orThrow(() =>
      execute(archiveDecider, { stream: archiveStream, command, causationId: `begin/${rule}` }),
    )
    known = (await load()).get(rule) ?? after
    return known
  }
}

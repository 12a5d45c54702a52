import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { type ArchiveCommand, archiveDecider } from '../../domain/chain/archive/decide.ts'
import { archiveEvents, archiveStream, category } from '../../domain/chain/archive/events.ts'
import { ingestCategory } from '../../domain/chain/inputs.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import { type RuleName, rules } from '../../domain/chain/rules.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { type HandOverDependencies, handOver, type RuleWork } from './hand-over.ts'

/** Events that are handed over together; the adoption goes on behind them if the process ends. */
const pageSize = 500

type Dependencies = Omit<HandOverDependencies, 'work'> & {
  readonly eventStore: Pick<EventStore, 'read' | 'readAll'>
  readonly workOf: (rule: RuleName) => RuleWork
}

/**
 * Hands over what was stored before an adoption was requested, from the begin of the log or from where an earlier process has come
 * to. A rule that holds meanwhile may meet the same version: what one of them has sent is nothing new from the other.
 */
export const adopt = (deps: Dependencies): Subscription => ({
  name: 'chain-adoption',
  filter: { categories: [category], types: ['AdoptionRequested'] },
  batchSize: 1,
  handle: async ({ events: [request] }, isLeader, signal) => {
    if (!request) return true
    const { type, data } = readOrStop(archiveEvents, request)
    if (type !== 'AdoptionRequested') return true
    for (;;) {
      const { adoption } = await stateOf(deps)
      // It has ended; or the event is of an earlier request than that which is under way.
      if (adoption?.requestedAt !== data.at) return true
      const { reached, versions } = adoption
      const page = await orThrow(deps.eventStore.readAll(reached, filter, pageSize))
      const events = page.events.filter(({ position }) => position < request.position)
      if (!isLeader()) return false
      await handOver(events, { ...deps, work: deps.workOf(data.rule) })
      signal.throwIfAborted()
      const done = versions + events.length
      const { position } = page
      await give(deps, { type: 'NoteReached', position, versions: done })
      if (page.caughtUp || position >= request.position)
        await give(deps, { type: 'EndAdoption', versions: done })
    }
  },
})

const filter = { categories: [ingestCategory], types: rules.fixity.listens.ingestObject }

const stateOf = async ({ states }: Pick<Dependencies, 'states'>) =>
  (await orThrow(() => states.load(archiveDecider, archiveStream))).state

type Given<C> = C extends unknown ? Omit<C, 'actor' | 'at'> : never

const give = (
  { execute, clock }: Pick<Dependencies, 'execute' | 'clock'>,
  command: Given<ArchiveCommand>,
): Promise<unknown> =>
  orThrow(() =>
    execute(archiveDecider, {
      stream: archiveStream,
      command: { ...command, actor: chainSource, at: clock.now() } as ArchiveCommand,
      causationId: uuid(),
    }),
  )

import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import type { Config } from '#src/app/config/settings.ts'
import type { System } from '#src/app/system.ts'
import type { Command, Decider } from '#src/domain/kernel/decider.ts'
import type { DomainEvent, RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Rejection } from '#src/domain/kernel/rejection.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { clipDecider } from '#src/domain/research/clip/decide.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import { topics } from '#src/domain/research/messages.ts'
import { policyDecider } from '#src/domain/research/policy/decide.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { researcherDecider } from '#src/domain/research/researcher/decide.ts'
import { clipStream, episodeStream, researcherStream } from '#src/domain/research/terms.ts'
import { blockedLookup } from '#src/processors/research/blocked-lookup.ts'
import { policyLookup } from '#src/processors/research/policy-lookup.ts'
import { researchersProcessor } from '#src/processors/research/researchers-processor.ts'
import { resultsProcessor } from '#src/processors/research/results-processor.ts'
import { research } from '#src/projections/research/projection.ts'
import type { WorkerOptions } from '#src/workers/runtime/worker.ts'
import { emptyWorkflow, type Workflow } from '#src/workflows/workflow.ts'
import { started, testSystem } from '../../app/archive.ts'

/** Research without the assigner: a test hands out the work. */
const withoutAssigner: Workflow = {
  ...emptyWorkflow,
  name: 'research',
  description: 'Research, as far as researchers need it.',
  topics,
  eventSets: [episodeDecider, clipDecider, researcherDecider, policyDecider].map(({ category, events }) => ({
    category,
    events,
  })),
  projections: [research],
  processors: ({ states, clock }) => {
    const policy = policyLookup(states)
    return [
      resultsProcessor(policy, blockedLookup(states), clock, states),
      researchersProcessor(policy, clock),
    ]
  },
}

/** An embedded system in which a test is curator, assigner and operator. */
export const researchWorld = async (settings: Partial<Config> = {}) => {
  const opened = await testSystem(settings)
  const system: System = { ...opened, workflows: [withoutAssigner] }
  const roles = await started(system, ['processors', 'projections'])
  let causes = 0

  const give = async <S, C extends Command, E extends DomainEvent, R extends Rejection>(
    decider: Decider<S, C, E, R, unknown>,
    stream: string,
    command: C,
  ) => {
    const causationId = `test ${causes++}`
    const outcome = await system.execute(decider, { stream, command, causationId, correlationId: 'test' })
    if (isLeft(outcome) || outcome.right.kind === 'rejected')
      throw new Error(`${command.type}: ${JSON.stringify(outcome)}`)
  }
  const by = () => ({ actor: 'ada', at: system.clock.now() })
  const rowsOf = (view: string, column: string, value: string): readonly Row[] =>
    system.viewStore.query(view, { where: [{ column, is: '=', value }] })

  return {
    system,
    options: { concurrency: 1, threads: 1, onNewWork: roles.onViewChange } satisfies WorkerOptions,
    curate: async (subject: 'episode' | 'clip', id: string, mediaUri: string) => {
      const details = { title: id, mediaUri, mediaType: 'audio/wav', curator: 'feed' }
      const command = { type: 'Curate', details, curatedAt: system.clock.now(), ...by() } as const
      if (subject === 'episode') await give(episodeDecider, episodeStream(id), command)
      else await give(clipDecider, clipStream(id), command)
    },
    grant: (lease: string, episode: string, ...clips: readonly string[]) =>
      give(episodeDecider, episodeStream(episode), {
        type: 'Grant',
        policy: { ...defaultPolicy, version: 0 },
        leases: [{ lease, clips }],
        ...by(),
      }),
    revoke: (lease: string, episode: string) =>
      give(episodeDecider, episodeStream(episode), { type: 'Revoke', lease, reason: 'no more', ...by() }),
    block: (researcher: string) =>
      give(researcherDecider, researcherStream(researcher), {
        type: 'Block',
        reason: 'odd results',
        ...by(),
      }),
    lease: (lease: string): Row | undefined => rowsOf('research-leases', 'lease', lease)[0],
    researchers: (): readonly Row[] => system.viewStore.query('research-researchers', {}),
    /** What happened to an episode, from its first lease on. */
    eventsOf: async (episode: string): Promise<readonly RecordedEvent[]> => {
      const read = await system.eventStore.read(episodeStream(episode), 'start', 'forward', 1000)()
      if (isLeft(read)) throw new Error(JSON.stringify(read.left))
      return read.right.filter(({ type }) => type !== 'Curated')
    },
    /** Stops it when the test is over, before its system closes. */
    atWork: <Worker extends { stop(graceMillis?: number): Promise<void> }>(worker: Worker): Worker => {
      onTestFinished(() => worker.stop(0))
      return worker
    },
  }
}

export type ResearchWorld = Awaited<ReturnType<typeof researchWorld>>

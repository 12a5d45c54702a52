import { aborted } from '../../async/aborted.ts'
import { whileAway } from '../../async/backoff.ts'
import { type Failed, keepTrying, levelOf } from '../../async/keep-trying.ts'
import { MINUTE, SECOND } from '../../domain/kernel/time.ts'
import { type RunningLeader, runLeader } from '../../processors/runtime/leader.ts'
import { sealerLease } from '../../processors/runtime/tree-mark.ts'
import { leaderName } from '../node-names.ts'
import type { System } from '../system.ts'
import type { DailyWork, SealerState } from './run-sealer.ts'

export interface RunningSealer extends Omit<RunningLeader, 'name'> {
  state(): SealerState
}

/** A start waits for nothing of it. */
const firstMillis = 3 * SECOND

/**
 * Seals the log, if its tree is this home's: one process at a time. A home whose log has its tree elsewhere does not take the
 * lease. Its code is loaded when it begins.
 */
export const startSealer = (system: System): RunningSealer => {
  const { clock, log } = system
  const stopping = new AbortController()
  const { signal } = stopping
  let state: SealerState = { kind: 'idle' }
  let leader: RunningLeader | undefined
  const show = (now: SealerState) => {
    state = now
  }

  /** Returns when another home turned out to have the tree. */
  const lead = async (): Promise<void> => {
    const elsewhere = new AbortController()
    const either = AbortSignal.any([signal, elsewhere.signal])
    leader = runLeader(
      {
        name: sealerLease,
        checkpoints: () => ({ positions: {} }),
        work: async (term) => {
          const [
            { runSealer },
            { createDailyStatements },
            { createViewSeals },
            { createStreamSeals },
            { createRetention },
          ] = await Promise.all([
            import('./run-sealer.ts'),
            import('./daily-statements.ts'),
            import('./views/daily-seals.ts'),
            import('./streams/daily-stream-seals.ts'),
            import('./retention/apply-policies.ts'),
          ])
          const all = [createViewSeals(system), createStreamSeals(system)]
          const statements = createDailyStatements(system, all, term.signal)
          const retention = createRetention(system)
          const daily: DailyWork = {
            ifDue: async (...round) => {
              statements.begin()
              await retention.ifDue(...round)
            },
          }
          const ended = await runSealer(system, term, show, daily).finally(statements.stop)
          if (ended !== 'elsewhere') return
          elsewhere.abort()
          await aborted(term.signal)
        },
      },
      { ...withoutThread(system), holder: leaderName(), seconds: system.config.dutySeconds },
    )
    await aborted(either)
    await leader.stop()
  }

  const attempt = async (succeeded: () => void): Promise<void> => {
    const { decide } = await import('./open-sealer.ts')
    const decision = await decide(system, await system.proofLog())
    succeeded()
    if (decision.kind !== 'elsewhere') return lead()
    show(decision)
    await clock.sleep(MINUTE, signal)
  }

  const onFailure = (failed: Failed): void =>
    log[levelOf(failed)]({ err: failed.error, part: 'sealer' }, 'cannot find the Merkle tree; retrying')

  const running = clock
    .sleep(firstMillis, signal)
    .then(() => keepTrying(attempt, { clock, signal, awayBackoff: whileAway, onFailure }))

  return {
    state: () => state,
    stop: async () => {
      stopping.abort()
      await running
    },
    abandon: async () => {
      stopping.abort()
      await leader?.abandon()
    },
  }
}

/** A late extension does no harm: the tree's own files let one process at a time extend it. */
const withoutThread = ({ keepApart: _, ...system }: System) => system

import { pino } from 'pino'
import { leaderStream, type Positions } from '../../../src/domain/kernel/leader-lease.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { ProcessLock } from '../../../src/ports/process-lock.ts'
import { executor } from '../../../src/processors/runtime/execute.ts'
import { type RunningLeader, runLeader } from '../../../src/processors/runtime/leader.ts'
import type { Term } from '../../../src/processors/runtime/leader-term.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { streamOf } from './log.ts'

/* Processes that want the leader lease `test`, on one log. */

export const seconds = 30

export interface Process {
  readonly leader: RunningLeader
  /** What it has now. */
  term(): Term | undefined
  /** How many it had so far. */
  had(): number
  readonly lines: readonly { readonly level: number; readonly msg: string }[]
}

type Lock = Pick<ProcessLock, 'mark' | 'hasEnded'>

export interface Joining {
  readonly positions?: () => Positions
  readonly ownClock?: Clock
  readonly log?: EventStore
  readonly processLock?: Lock
}

export const noLock: Lock = { mark: () => undefined, hasEnded: () => false }

export const leaderWorld = () => {
  const clock = fakeClock()
  const fake = fakeEventStore({ now: clock.now })
  const kept: [string, number][] = []
  const leaders: RunningLeader[] = []
  const store: typeof fake = {
    ...fake,
    keepLatest: (stream, count) => {
      kept.push([stream, count])
      return fake.keepLatest(stream, count)
    },
  }

  /** A process on the log, with a clock of its own where one is given. */
  const join = (
    holder: string,
    { positions = () => ({}), ownClock = clock, log: itsStore = store, processLock = noLock }: Joining = {},
  ): Process => {
    const states = streamStates(itsStore)
    const lines: { level: number; msg: string }[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    let term: Term | undefined
    let had = 0
    const leader = runLeader(
      {
        name: 'test',
        checkpoints: () => ({ positions: positions() }),
        work: async (given) => {
          term = given
          had++
          await new Promise<void>((resolve) => given.signal.addEventListener('abort', () => resolve()))
          term = undefined
        },
      },
      {
        holder,
        seconds,
        eventStore: itsStore,
        execute: executor(itsStore, states, async () => {}),
        states,
        processLock,
        clock: ownClock,
        log,
      },
    )
    leaders.push(leader)
    return { leader, term: () => term, had: () => had, lines }
  }

  return {
    clock,
    store,
    kept,
    join,
    eventTypes: async () => (await streamOf(store, leaderStream('test'))).map(({ type }) => type),
    last: async () => (await streamOf(store, leaderStream('test'))).at(-1)?.data,
    end: async () => {
      store.comeBack()
      await Promise.all(leaders.map((leader) => leader.stop()))
    },
  }
}

export type LeaderWorld = ReturnType<typeof leaderWorld>

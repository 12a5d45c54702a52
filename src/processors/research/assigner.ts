import { addMillis, MINUTE, SECOND } from '../../domain/kernel/time.ts'
import { Away } from '../../ports/away.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import { executor } from '../runtime/execute.ts'
import type { Follower } from '../runtime/follow.ts'
import { lastEventStates } from '../runtime/last-event.ts'
import { saveSnapshot } from '../runtime/save-snapshot.ts'
import { newAlarm, soon } from './alarm.ts'
import { type Assigning, type AssigningDependencies, type AssigningLimits, assigning } from './assigning.ts'
import {
  boardFilter,
  bringUp,
  emptyBoard,
  foldEvent,
  keptBoard,
  type LoadedBoard,
  boardName as name,
} from './board-load.ts'
import { snapshotParts } from './board-snapshot.ts'
import { oneByOne } from './one-by-one.ts'

export interface AssignerDependencies extends Omit<AssigningDependencies, 'note'> {
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
}

export interface AssignerLimits extends AssigningLimits {
  /** Events that make a snapshot worth its while: when following ends, and while nothing is to be done. */
  readonly savedAtEnd: number
  readonly savedAtRest: number
}

export const assignerLimits: AssignerLimits = {
  mostItems: 256,
  mostCharacters: 400_000,
  savedAtEnd: 50_000,
  savedAtRest: 500_000,
}

/**
 * Clocks differ, and the board never goes back: so far it may be ahead of the clock. Beyond, the clock was wrong and has been
 * put right, and leases by the board's time would hold for as long as it was wrong (F26).
 */
const mostAhead = 5 * MINUTE
const firstPause = SECOND
const longestPause = MINUTE

/**
 * Hands out work: folds the log into the board, and whenever that is up to date adds items as capacity has it. Events wake
 * it, and time does where time alone changes something. Several of them do no harm: episodes refuse what is leased
 * already (F1, F2).
 */
export const assigner = (deps: AssignerDependencies, limits: AssignerLimits = assignerLimits): Follower => {
  const { eventStore, snapshots, clock, telemetry, log } = deps
  const inTurn = oneByOne()
  const alarm = newAlarm(clock)
  // A decision that is written down is compared with the one before, in a stream that grows for years.
  const note = executor(eventStore, lastEventStates(eventStore))
  let work: { readonly loaded: LoadedBoard; readonly assigning: Assigning } | undefined
  let pause = firstPause

  const begin = (): Promise<bigint> =>
    inTurn(async () => {
      alarm.off()
      if (!work) {
        const kept = await keptBoard(name, eventStore, snapshots)
        workWith(isAhead(kept) ? emptyBoard(kept.log) : kept)
      }
      return work!.loaded.folded
    })

  function workWith(loaded: LoadedBoard): void {
    work = { loaded, assigning: assigning(loaded, { ...deps, note }, limits) }
  }

  const isAhead = ({ advancedTo }: LoadedBoard): boolean => advancedTo > addMillis(clock.now(), mostAhead)

  const handle: Follower['handle'] = (batch, goesOn, signal) =>
    inTurn(async () => {
      alarm.off()
      try {
        foldAll(batch)
        if (!batch.caughtUp) return goesOn()
        await save(limits.savedAtRest)
        return await assign(goesOn, signal)
      } catch (error) {
        if (!(error instanceof Away)) work = undefined
        throw error
      }
    })

  function foldAll({ events, position }: EventBatch): void {
    if (!work) throw new Error('the assigner has not begun')
    for (const event of events) foldEvent(work.loaded, event)
    work.loaded.folded = position
    telemetry.count('messages', { processor: name, outcome: 'done' }, events.length)
  }

  async function assign(goesOn: () => boolean, signal: AbortSignal): Promise<boolean> {
    if (work && isAhead(work.loaded)) await foldAnew(work.loaded, signal)
    if (!work || !(await work.assigning.turn(goesOn))) return false
    pause = firstPause
    wakeAt(work.loaded.board.nextChange(), goesOn)
    return true
  }

  async function foldAnew({ log: of, folded }: LoadedBoard, signal: AbortSignal): Promise<void> {
    log.warn({ part: name }, 'the clock was put back: what is to be handed out is read from the log anew')
    const anew = emptyBoard(of)
    await bringUp(anew, eventStore, signal, { position: folded })
    anew.folded = folded
    workWith(anew)
  }

  function wakeAt(at: string | undefined, goesOn: () => boolean): void {
    if (at === undefined) return
    alarm.set(at, (signal) => void inTurn(async () => !signal.aborted && wake(goesOn, signal)))
  }

  /** Nobody waits for this turn: what fails is tried again here. */
  async function wake(goesOn: () => boolean, signal: AbortSignal): Promise<void> {
    try {
      await assign(goesOn, signal)
    } catch (error) {
      telemetry.count('failures', { processor: name, reason: error instanceof Away ? 'away' : 'defect' })
      const level = error instanceof Away ? 'warn' : 'error'
      log[level]({ err: error, part: name }, 'work could not be handed out, which will be tried again')
      wakeAt(soon(clock, pause), goesOn)
      pause = Math.min(pause * 2, longestPause)
    }
  }

  /** Where so many events would have to be folded in anew. */
  async function save(fromEvents: number): Promise<void> {
    if (!work || work.loaded.unsaved < fromEvents || !work.assigning.isAtRest()) return
    const { loaded } = work
    const { log: of, last, advancedTo, board } = loaded
    if (!last) return
    if (await saveSnapshot(deps, name, snapshotParts({ log: of, last, advancedTo }, board)))
      loaded.unsaved = 0
  }

  return {
    name,
    filter: boardFilter,
    handle,
    place: {
      begin,
      reached: () => work?.loaded.folded ?? -1n,
      end() {
        alarm.off()
        return inTurn(async () => {
          try {
            await save(limits.savedAtEnd)
          } finally {
            work = undefined
          }
        })
      },
    },
  }
}

import { setImmediate } from 'node:timers/promises'
import { InvalidNote, UntrustedNote } from '@fonds/tlog'
import { whileAway } from '../../async/backoff.ts'
import { errorMessage } from '../../async/errors.ts'
import { type Failed, keepTrying, levelOf } from '../../async/keep-trying.ts'
import { orThrow } from '../../async/unavailable.ts'
import { DAY, SECOND } from '../../domain/kernel/time.ts'
import type { Term } from '../../processors/runtime/leader-term.ts'
import { createRollingCheck } from './check/check-in-rounds.ts'
import { type Countersigning, createCountersigning } from './countersign.ts'
import { decide, type Opened, openSealer, type SealerSystem } from './open-sealer.ts'
import { BrokenTree } from './open-tree.ts'
import { type FindOvertaken, findOvertaken } from './overtaken.ts'
import { areKeysDue } from './replace-keys.ts'
import type { Sealing } from './sealing.ts'
import { putBack, whyBehind, whyHeadless } from './why-stopped.ts'

/** Work of each day, between two rounds of the sealing. */
export interface DailyWork {
  /** `sealing`: with all events that the log had a moment ago. It is not extended meanwhile. */
  ifDue(signal: AbortSignal, origin: string, sealing: Sealing): Promise<void>
}

/** How sealing stands in this process. */
export type SealerState =
  /** Another process of this home, or none, seals. */
  | { readonly kind: 'idle' }
  /** `doubts`: what witnesses say against it, and where the log differs from the tree, a sentence each. */
  | {
      readonly kind: 'sealing'
      readonly origin: string
      readonly size: bigint
      readonly doubts: readonly string[]
    }
  | { readonly kind: 'elsewhere'; readonly origin: string }
  /** Until a person has acted, or what is away has come again. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** Between two heads of a tree that grew (Q28). */
const roundMillis = 10 * SECOND
const pageEvents = 500

/** Extends the tree for as long as the term lasts; returns `elsewhere` if another home has it. */
export const runSealer = async (
  system: SealerSystem,
  term: Pick<Term, 'isLeader' | 'signal'>,
  show: (state: SealerState) => void,
  daily?: DailyWork,
): Promise<'over' | 'elsewhere'> => {
  const { clock, log } = system
  let isElsewhere = false
  let logged: string | undefined
  const overtaken = findOvertaken(system)

  const stop = async (reason: string): Promise<void> => {
    show({ kind: 'stopped', reason })
    if (reason !== logged) log.error({ part: 'sealer' }, reason)
    logged = reason
    await clock.sleep(roundMillis, term.signal)
  }

  const attempt = async (succeeded: () => void): Promise<void> => {
    const opened = await openOrWhyNot(system, term.signal, overtaken)
    if ('reason' in opened) return stop(opened.reason)
    if (opened.kind === 'elsewhere') {
      isElsewhere = true
      show(opened)
      return
    }
    logged = undefined
    try {
      const files = await system.proofLog()
      const others = createCountersigning(system, files, await system.proofPolicy())
      await sealOn(system, opened, term, { others, daily }, (size, differences) => {
        succeeded()
        show({ kind: 'sealing', origin: opened.origin, size, doubts: [...others.doubts(), ...differences] })
      })
    } finally {
      opened.sealing.close()
    }
  }

  const onFailure = (failed: Failed): void => {
    show({ kind: 'stopped', reason: `the log is not sealed: ${errorMessage(failed.error)}` })
    log[levelOf(failed)]({ err: failed.error, part: 'sealer' }, 'cannot extend the Merkle tree; retrying')
  }

  await keepTrying(attempt, {
    clock,
    signal: term.signal,
    isOver: () => isElsewhere || !term.isLeader(),
    awayBackoff: whileAway,
    onFailure,
  })
  show({ kind: 'idle' })
  return isElsewhere ? 'elsewhere' : 'over'
}

type Open = Extract<Opened, { kind: 'sealing' | 'elsewhere' }>

const openOrWhyNot = async (
  system: SealerSystem,
  signal: AbortSignal,
  overtaken: FindOvertaken,
): Promise<Open | { readonly reason: string }> => {
  try {
    const opened = await openSealer(system, signal, overtaken)
    if (opened.kind === 'behind')
      return { reason: `${whyBehind(opened.missing)}; ${putBack('the log that has it')}` }
    if (opened.kind === 'overtaken')
      return { reason: `${opened.reason}; ${putBack('the newer log and tree')}` }
    if (opened.kind === 'headless') return { reason: `${whyHeadless(opened)}; ${putBack('it')}` }
    if (opened.kind === 'keyless')
      return { reason: `the key of the Merkle tree is not in ${opened.keyFolder}; ${putBack('the key')}` }
    return opened
  } catch (error) {
    if (error instanceof BrokenTree) return { reason: `${error.message}; ${putBack('the folder')}` }
    if (error instanceof InvalidNote || error instanceof UntrustedNote)
      return { reason: `the checkpoint of the Merkle tree ${error.message}; ${putBack('it')}` }
    throw error
  }
}

const sealOn = async (
  system: SealerSystem,
  { sealing, headAt, origin }: Extract<Opened, { kind: 'sealing' }>,
  { isLeader, signal }: Pick<Term, 'isLeader' | 'signal'>,
  { others, daily }: { readonly others: Countersigning; readonly daily: DailyWork | undefined },
  onRound: (size: bigint, differences: readonly string[]) => void,
): Promise<void> => {
  const { eventStore, clock } = system
  const checks = createRollingCheck(system)
  // A clock that was put back must not delay the next head.
  let lastHead = clock.monotonic() - Math.max(0, Date.parse(clock.now()) - Date.parse(headAt))
  const publishIfDue = async (): Promise<void> => {
    const age = clock.monotonic() - lastHead
    if (age < (sealing.size > sealing.published.size ? roundMillis : DAY) || !isLeader()) return
    await sealing.publish()
    lastHead = clock.monotonic()
  }
  for (;;) {
    for (let caughtUp = false; !caughtUp && isLeader(); ) {
      const page = await orThrow(eventStore.readStored(sealing.position, {}, pageEvents))
      await sealing.add(page)
      caughtUp = page.caughtUp
      await publishIfDue()
      await setImmediate()
    }
    if (!isLeader()) return
    await publishIfDue()
    // Others sign for an hour: not a head that the next one follows within seconds.
    const { head, size } = sealing.published
    if (head !== undefined && size === sealing.size) await others.ifDue(head, signal)
    if (head !== undefined) await checks.ifDue(head, signal)
    await daily?.ifDue(signal, origin, sealing)
    onRound(sealing.published.size, checks.found())
    await clock.sleep(roundMillis, signal)
    const files = await system.proofLog()
    if (!isLeader() || (await decide(system, files)).kind !== 'extend') return
    if (await areKeysDue({ eventStore, files, origin, now: () => Date.parse(clock.now()) })) return
  }
}

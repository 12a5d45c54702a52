import { oneByOne } from '@fonds/toolbox'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Offered } from './claim.ts'

/*
 * A process that dies ends all that it was at, and one of its tasks may be the cause. A suspect, which the next death
 * would set aside, is therefore in hand alone: its process begins it once no other task of the workflow is in hand, and
 * begins none until it is done. So the death that sets a task aside is its own, and none is set aside for another one.
 */

/** A task as it stands in the log. */
interface Standing {
  readonly lease?: Fenced | undefined
  readonly isSuspect: boolean
}

/** Work that is to be claimed. */
interface Risk<Task = never> {
  /** As far as known before the claim. */
  readonly isSuspect: boolean
  readonly standing: () => Promise<Standing>
  /** As of the claim. */
  readonly isSuspectNow: (task: Task) => boolean
}

/** A task that is claimed, with the fence of the claim. */
interface Fenced {
  readonly fence: number
}

export interface Suspects {
  /** Claims it, alone if the next death would set it aside; `refused` until that can be. */
  claim<Task extends Fenced>(risk: Risk<Task>, claim: () => Promise<Offered<Task>>): Promise<Offered<Task>>
}

/** A suspect that was not offered again for this long cannot be claimed here: nothing waits for it any more. */
const forgottenMillis = 10 * MINUTE

type Asked = () => Promise<boolean>

export const suspectsInProgress = (clock: Pick<Clock, 'monotonic'>): Suspects => {
  const inTurn = oneByOne()
  /** Claims that this process has, or asks for. */
  const inHand = new Set<object>()
  /** Suspects that are asked for. */
  let asking = 0
  /** The suspect that is claimed: whether it is still in the step. */
  const alone = createSlot()
  /** The suspect that waits until nothing else is in hand: whether it still does. */
  const next = createSlot()

  /** Counts the claim as in hand until it is over. */
  const held = async <Task>(claim: () => Promise<Offered<Task>>): Promise<Offered<Task>> => {
    const hand = {}
    const over = () => void inHand.delete(hand)
    inHand.add(hand)
    try {
      const offered = await claim()
      if (typeof offered === 'object') return { ...offered, over }
      over()
      return offered
    } catch (error) {
      over()
      throw error
    }
  }

  const waitsSince = (since: number, standing: Risk['standing']): Asked => {
    return async () => {
      if (clock.monotonic() - since >= forgottenMillis) return false
      const { lease, isSuspect } = await standing()
      return lease === undefined && isSuspect
    }
  }

  const claimAlone = async <Task extends Fenced>(
    { standing }: Risk<Task>,
    claim: () => Promise<Offered<Task>>,
  ): Promise<Offered<Task>> => {
    if (await alone.isTaken()) return 'refused'
    if (inHand.size > 0) {
      next.take(waitsSince(clock.monotonic(), standing))
      return 'refused'
    }
    next.clear()
    const offered = await held(claim)
    if (typeof offered === 'object') alone.take(inStep(offered.task, standing))
    return offered
  }

  /** Before others of the same round: at once nothing else is begun. */
  const askAlone: Suspects['claim'] = async (risk, claim) => {
    asking++
    try {
      return await inTurn(() => claimAlone(risk, claim))
    } finally {
      asking--
    }
  }

  const claimBesideOthers = async <Task extends Fenced>(
    { isSuspectNow }: Risk<Task>,
    claim: () => Promise<Offered<Task>>,
  ): Promise<Offered<Task>> => {
    if ((await alone.isTaken()) || (await next.isTaken()) || asking > 0) return 'refused'
    const offered = await held(claim)
    if (typeof offered === 'string' || !isSuspectNow(offered.task)) return offered
    // The view lagged, or an overdue claim expired with this one.
    try {
      await offered.release('processes died while they worked on it; it is tried again alone')
    } finally {
      offered.over?.()
    }
    return 'refused'
  }

  return {
    claim: (risk, claim) => (risk.isSuspect ? askAlone(risk, claim) : claimBesideOthers(risk, claim)),
  }
}

/** Room for one suspect, which leaves it once it no longer answers that it is there. */
const createSlot = () => {
  let held: Asked | undefined
  return {
    take: (suspect: Asked): void => {
      held = suspect
    },
    clear: (): void => {
      held = undefined
    },
    isTaken: async (): Promise<boolean> => {
      const asked = held
      // Another one may have taken its place meanwhile.
      if (asked && !(await asked()) && held === asked) held = undefined
      return held !== undefined
    },
  }
}

/** True from the claim on, until the step is done or the claim over. */
const inStep =
  ({ fence }: Fenced, standing: Risk['standing']): Asked =>
  async () => {
    const { lease, isSuspect } = await standing()
    return lease?.fence === fence && isSuspect
  }

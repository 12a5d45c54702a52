import { oneByOne } from '@fonds/toolbox'
import { fewestDeaths, type MaxDeaths, type StepClaims } from '../../domain/ingest/claim.ts'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Offered } from '../runtime/claim.ts'

/*
 * A process that dies ends all that it was at, and one of the jobs and batches may be the cause. What the next death
 * would set aside is therefore in hand alone: its process begins it once nothing else of ingest is in hand, and begins
 * nothing else until its step is done. So the death that sets work aside is its own, and none fails for another one.
 */

/** Work that is to be claimed. */
interface Risk<Task = never> {
  /** Number of holders in a row that died in this step, as far as known before the claim. */
  readonly deaths: number
  /** Returns the claims on it as they stand now. */
  readonly claimsOn: () => Promise<StepClaims>
  /** Returns the number of such holders as of the claim. */
  readonly deathsOf: (task: Task) => number | undefined
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

interface SuspectsOptions extends MaxDeaths {
  readonly clock: Pick<Clock, 'monotonic'>
}

type Asked = () => Promise<boolean>

export const suspectsInProgress = ({ maxDeaths, clock }: SuspectsOptions): Suspects => {
  const inTurn = oneByOne()
  /** Claims that this process has, or asks for. */
  const inHand = new Set<object>()
  /** Suspects that are asked for. */
  let asking = 0
  /** The suspect that is claimed: whether it is still in the step. */
  let alone: Asked | undefined
  /** The suspect that waits until nothing else is in hand: whether it still does. */
  let next: Asked | undefined

  const isRisky = (deaths = 0): boolean => maxDeaths !== undefined && deaths + 1 >= fewestDeaths(maxDeaths)

  const isSuspectInHand = async (): Promise<boolean> => {
    const asked = alone
    if (asked && !(await asked()) && alone === asked) alone = undefined
    return alone !== undefined
  }

  const isSuspectNext = async (): Promise<boolean> => {
    const asked = next
    if (asked && !(await asked()) && next === asked) next = undefined
    return next !== undefined
  }

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

  const waitsSince = (since: number, claimsOn: Risk['claimsOn']): Asked => {
    return async () => {
      if (clock.monotonic() - since >= forgottenMillis) return false
      const claims = await claimsOn()
      return claims.lease === undefined && isRisky(claims.deaths)
    }
  }

  const claimAlone = async <Task extends Fenced>(
    { claimsOn }: Risk<Task>,
    claim: () => Promise<Offered<Task>>,
  ): Promise<Offered<Task>> => {
    if (await isSuspectInHand()) return 'refused'
    if (inHand.size > 0) {
      next = waitsSince(clock.monotonic(), claimsOn)
      return 'refused'
    }
    next = undefined
    const offered = await held(claim)
    if (typeof offered === 'object') alone = inStep(offered.task, claimsOn)
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
    { deathsOf }: Risk<Task>,
    claim: () => Promise<Offered<Task>>,
  ): Promise<Offered<Task>> => {
    if ((await isSuspectInHand()) || (await isSuspectNext()) || asking > 0) return 'refused'
    const offered = await held(claim)
    if (typeof offered === 'string' || !isRisky(deathsOf(offered.task))) return offered
    // The view lagged, or an overdue claim expired with this one.
    try {
      await offered.release('processes died while they worked on it; it is tried again alone')
    } finally {
      offered.over?.()
    }
    return 'refused'
  }

  return {
    claim: (risk, claim) => (isRisky(risk.deaths) ? askAlone(risk, claim) : claimBesideOthers(risk, claim)),
  }
}

/** True from the claim on, until the step is done or the claim over. */
const inStep =
  ({ fence }: Fenced, claimsOn: Risk['claimsOn']): Asked =>
  async () => {
    const { lease, deaths = 0 } = await claimsOn()
    return lease?.fence === fence && deaths > 0
  }

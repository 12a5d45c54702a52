import { oneByOne } from '@fonds/toolbox'
import type { MaxDeaths } from '../../domain/ingest/claim.ts'
import type { Offered } from '../runtime/claim.ts'

/** Work that is to be claimed. */
interface Risk {
  /** Number of holders in a row that died in this step. */
  readonly deaths: number
  /** True from the claim on, until its step is done or the claim over. */
  readonly isInProgress: () => boolean | Promise<boolean>
}

export interface Suspects {
  /** Claims it unless another one is still in progress. */
  claimAlone<Task>(
    isInProgress: Risk['isInProgress'],
    claim: () => Promise<Offered<Task>>,
  ): Promise<Offered<Task>>
}

export const suspectsInProgress = (): Suspects => {
  const inTurn = oneByOne()
  let isBusy: Risk['isInProgress'] = () => false
  return {
    claimAlone: (isInProgress, claim) =>
      inTurn(async () => {
        if (await isBusy()) return 'refused'
        const offered = await claim()
        if (typeof offered === 'object') isBusy = isInProgress
        return offered
      }),
  }
}

/**
 * A process that dies ends all that it was at, and one of the jobs and batches may be the cause. A process holds those
 * that the next death would fail one at a time: so it is clear which of them it was, and none fails for another one.
 */
export const oneAtATime = <Task>(
  { maxDeaths, suspects }: MaxDeaths & { readonly suspects?: Suspects | undefined },
  { deaths, isInProgress }: Risk,
  claim: () => Promise<Offered<Task>>,
): Promise<Offered<Task>> =>
  !suspects || maxDeaths === undefined || deaths === 0 || deaths < maxDeaths - 1
    ? claim()
    : suspects.claimAlone(isInProgress, claim)

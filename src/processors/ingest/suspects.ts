import { oneByOne } from '@fonds/toolbox'
import type { MaxDeaths, StepClaims } from '../../domain/ingest/claim.ts'
import type { Offered } from '../runtime/claim.ts'

/** Work that is to be claimed. */
interface Risk<Task> {
  /** Number of holders in a row that died in this step. */
  readonly deaths: number
  /** Returns the claims on the work of a task as they stand now. */
  readonly claimsOn: (task: Task) => Promise<StepClaims>
}

/** A task that is claimed, with the fence of the claim. */
interface Fenced {
  readonly fence: number
}

export interface Suspects {
  /** Claims it unless another one is still in progress. */
  claimAlone<Task extends Fenced>(
    claimsOn: Risk<Task>['claimsOn'],
    claim: () => Promise<Offered<Task>>,
  ): Promise<Offered<Task>>
}

export const suspectsInProgress = (): Suspects => {
  const inTurn = oneByOne()
  let isInProgress = async () => false
  return {
    claimAlone: (claimsOn, claim) =>
      inTurn(async () => {
        if (await isInProgress()) return 'refused'
        const offered = await claim()
        if (typeof offered === 'object') {
          const { task } = offered
          isInProgress = async () => isInStep(task, await claimsOn(task))
        }
        return offered
      }),
  }
}

/** True from the claim on, until the step is done or the claim over. */
const isInStep = ({ fence }: Fenced, { lease, deaths = 0 }: StepClaims): boolean =>
  lease?.fence === fence && deaths > 0

/**
 * A process that dies ends all that it was at, and one of the jobs and batches may be the cause. A process holds those
 * that the next death would fail one at a time: so it is clear which of them it was, and none fails for another one.
 */
export const oneAtATime = <Task extends Fenced>(
  { maxDeaths, suspects }: MaxDeaths & { readonly suspects?: Suspects | undefined },
  { deaths, claimsOn }: Risk<Task>,
  claim: () => Promise<Offered<Task>>,
): Promise<Offered<Task>> =>
  !suspects || maxDeaths === undefined || deaths === 0 || deaths < maxDeaths - 1
    ? claim()
    : suspects.claimAlone(claimsOn, claim)

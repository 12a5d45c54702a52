import type * as E from 'fp-ts/lib/Either.js'
import type { Command, Decided, Decider } from '../../kernel/decider.ts'
import type { Lease } from '../../kernel/lease.ts'
import { type ClaimTerms, type ClaimUpkeep, claimTask, keepClaim, type Task } from '../../kernel/task.ts'
import { evolveClaims, offerStep, type StepClaims, stepEvents, unclaimed } from '../claim.ts'
import { categories } from '../ids.ts'
import type { IngestRejection } from '../rejection.ts'
import { type VolumeEvent, volumeEvents } from './events.ts'

interface ClaimVolume extends Command, ClaimTerms {
  readonly type: 'ClaimVolume'
}

export type VolumeCommand = ClaimVolume | ClaimUpkeep

const volumeTask: Task<StepClaims, VolumeEvent> = {
  ...stepEvents,
  claims: (claims) => claims,
  evolve: evolveClaims,
}

const decide = (
  command: VolumeCommand,
  claims: StepClaims,
): E.Either<IngestRejection, Decided<VolumeEvent, Lease>> =>
  command.type === 'ClaimVolume'
    ? claimTask(volumeTask, command, claims, (left, lease) => offerStep(left, 'provisioning', command, lease))
    : keepClaim(volumeTask, command, claims)

/** Decides about the allocation of a work volume's room: one holder at a time, so that no room is promised twice. */
export const volumeDecider: Decider<StepClaims, VolumeCommand, VolumeEvent, IngestRejection, Lease> = {
  category: categories.volume,
  events: volumeEvents,
  initial: unclaimed,
  evolve: evolveClaims,
  decide,
}

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Command, Decider, Decision } from '../../kernel/decider.ts'
import type { Lease } from '../../kernel/lease.ts'
import { type Claims, type ClaimTerms, claimStep, evolveClaims, expireClaim, unclaimed } from '../claim.ts'
import { type ClaimUpkeep, keepClaim } from '../claim-upkeep.ts'
import { categories } from '../ids.ts'
import type { IngestRejection } from '../rejection.ts'
import { type VolumeEvent, volumeEvents } from './events.ts'

interface ClaimVolume extends Command, ClaimTerms {
  readonly type: 'ClaimVolume'
}

export type VolumeCommand = ClaimVolume | ClaimUpkeep

type Decided = E.Either<IngestRejection, Decision<VolumeEvent, Lease>>

const decide = (command: VolumeCommand, claims: Claims): Decided =>
  command.type === 'ClaimVolume'
    ? claim(command, claims)
    : pipe(
        keepClaim(command, claims),
        E.map((events) => ({ events })),
      )

const claim = (command: ClaimVolume, claims: Claims): Decided => {
  const expired = expireClaim(claims, command)
  return pipe(
    claimStep(expired.reduce(evolveClaims, claims), 'provisioning', command, command.at),
    E.map(({ events, lease }) => ({ events: [...expired, ...events], result: lease })),
  )
}

/** Decides about the allocation of a work volume's room: one holder at a time, so that no room is promised twice. */
export const volumeDecider: Decider<Claims, VolumeCommand, VolumeEvent, IngestRejection, Lease> = {
  category: categories.volume,
  events: volumeEvents,
  initial: unclaimed,
  evolve: evolveClaims,
  decide,
}

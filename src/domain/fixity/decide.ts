import type { Decider } from '../kernel/decider.ts'
import type { Lease } from '../kernel/lease.ts'
import { keepClaim } from '../kernel/task.ts'
import { checkVersion } from './checking-version.ts'
import { checks, claim, endClaim, requestCheck } from './claiming.ts'
import type { FixityCommand } from './commands.ts'
import { events, type FixityEvent } from './events.ts'
import { category } from './item.ts'
import { loseCheck, observe } from './observing.ts'
import { acceptContent, assignResolution, closeResolution, reviveCheck } from './operating.ts'
import { recordContent, recordIndex, removeContent, removeIndex } from './recording.ts'
import type { Decision, FixityRejection } from './rejections.ts'
import { sightContent } from './sighting.ts'
import { evolve, type ItemState, initial } from './state.ts'
import { withdrawMisread } from './withdrawing.ts'

const decide = (command: FixityCommand, state: ItemState): Decision => {
  switch (command.type) {
    case 'RecordContent':
      return recordContent(command, state)
    case 'RemoveContent':
      return removeContent(command, state)
    case 'RecordIndex':
      return recordIndex(command, state)
    case 'RemoveIndex':
      return removeIndex(command, state)
    case 'RequestCheck':
      return requestCheck(command, state)
    case 'SightContent':
      return sightContent(command, state)
    case 'Claim':
      return claim(command, state)
    case 'ExtendClaim':
    case 'ReleaseClaim':
    case 'ExpireClaim':
      return keepClaim(checks, command, state)
    case 'EndClaim':
      return endClaim(command, state)
    case 'Observe':
      return observe(command, state)
    case 'LoseCheck':
      return loseCheck(command, state)
    case 'ReviveCheck':
      return reviveCheck(command, state)
    case 'CloseResolution':
      return closeResolution(command, state)
    case 'AssignResolution':
      return assignResolution(command, state)
    case 'AcceptContent':
      return acceptContent(command, state)
    case 'CheckVersion':
      return checkVersion(command, state)
    case 'WithdrawMisread':
      return withdrawMisread(command, state)
  }
}

/** One item of one store. */
export const decider: Decider<ItemState, FixityCommand, FixityEvent, FixityRejection, Lease> = {
  category,
  events,
  initial,
  evolve,
  decide,
}

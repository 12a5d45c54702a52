import type { Decider } from '../kernel/decider.ts'
import { keepClaim } from '../kernel/task.ts'
import { claim, jobs } from './claiming.ts'
import type { IndexingCommand } from './commands.ts'
import { liftEmbargo, setEmbargo } from './embargo.ts'
import { events, type IndexingEvent } from './events.ts'
import { category } from './file.ts'
import { park, rescue, reset, salvage } from './operating.ts'
import type { Decision, Granted, IndexingRejection } from './rejections.ts'
import { loseLines, report } from './reporting.ts'
import { adopt, sight, withdraw } from './sighting.ts'
import { evolve, type FileState, initial } from './state.ts'

const decide = (command: IndexingCommand, state: FileState): Decision => {
  switch (command.type) {
    case 'Sight':
      return sight(command, state)
    case 'Adopt':
      return adopt(command, state)
    case 'Claim':
      return claim(command, state)
    case 'ExtendClaim':
    case 'ReleaseClaim':
    case 'ExpireClaim':
      return keepClaim(jobs, command, state)
    case 'Report':
      return report(command, state)
    case 'LoseLines':
      return loseLines(command, state)
    case 'Park':
      return park(command, state)
    case 'Rescue':
      return rescue(command, state)
    case 'Reset':
      return reset(command, state)
    case 'Salvage':
      return salvage(command, state)
    case 'Withdraw':
      return withdraw(command, state)
    case 'SetEmbargo':
      return setEmbargo(command, state)
    case 'LiftEmbargo':
      return liftEmbargo(command, state)
  }
}

/** One archive file. */
export const decider: Decider<FileState, IndexingCommand, IndexingEvent, IndexingRejection, Granted> = {
  category,
  events,
  initial,
  evolve,
  decide,
}

import { category as deadLetterCategory, deadLetterEvents } from '../domain/kernel/dead-letter.ts'
import { category as refusalCategory, refusalEvents } from '../domain/kernel/refusal.ts'
import { endLease } from '../processors/runtime/lease-command.ts'
import { deadLetters } from '../projections/kernel/dead-letters.ts'
import { refusals } from '../projections/kernel/refusals.ts'
import { fixityWorkflow } from './fixity.ts'
import { matchingWorkflow } from './matching.ts'
import { researchWorkflow } from './research.ts'
import type { Workflow } from './system.ts'

/** What the house itself keeps: messages that could not be used, and those that were refused. */
const house: Workflow = {
  name: 'house',
  description: 'Dead letters and refusals of all workflows.',
  topics: [],
  eventSets: [
    { category: deadLetterCategory, events: deadLetterEvents },
    { category: refusalCategory, events: refusalEvents },
  ],
  projections: [deadLetters, refusals],
  commands: [endLease],
  workers: [],
  processors: () => [],
  reactions: () => [],
  followers: () => [],
  overdue: () => [],
  waiting: () => [],
  streamsOf: () => [],
}

export const workflows: readonly Workflow[] = [house, fixityWorkflow, matchingWorkflow, researchWorkflow]

import { fixityWorkflow } from './fixity.ts'
import { house } from './house.ts'
import { matchingWorkflow } from './matching.ts'
import { researchWorkflow } from './research.ts'
import type { Workflow } from './system.ts'

export const workflows: readonly Workflow[] = [house, fixityWorkflow, matchingWorkflow, researchWorkflow]

import { fixityWorkflow } from './fixity.ts'
import { matchingWorkflow } from './matching.ts'
import { researchWorkflow } from './research.ts'
import { systemWorkflow } from './system.ts'
import type { Workflow } from './workflow.ts'

export const workflows: readonly Workflow[] = [
  systemWorkflow,
  fixityWorkflow,
  matchingWorkflow,
  researchWorkflow,
]

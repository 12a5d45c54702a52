import { fixityWorkflow } from './fixity.ts'
import { indexingWorkflow } from './indexing.ts'
import { ingestWorkflow } from './ingest.ts'
import { matchingWorkflow } from './matching.ts'
import { researchWorkflow } from './research.ts'
import { settingsWorkflow } from './settings.ts'
import { systemWorkflow } from './system.ts'
import type { Workflow } from './workflow.ts'

export const workflows: readonly Workflow[] = [
  systemWorkflow,
  fixityWorkflow,
  indexingWorkflow,
  ingestWorkflow,
  matchingWorkflow,
  researchWorkflow,
  settingsWorkflow,
]

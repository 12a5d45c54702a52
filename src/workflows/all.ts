import { fixityWorkflow } from './fixity/workflow.ts'
import { indexingWorkflow } from './indexing/workflow.ts'
import { ingestWorkflow } from './ingest/workflow.ts'
import { matchingWorkflow } from './matching/workflow.ts'
import { researchWorkflow } from './research/workflow.ts'
import { settingsWorkflow } from './settings/workflow.ts'
import { systemWorkflow } from './system/workflow.ts'
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

import { fixityModel } from './fixity/model.ts'
import { indexingModel } from './indexing/model.ts'
import { ingestModel } from './ingest/model.ts'
import { matchingModel } from './matching/model.ts'
import { researchModel } from './research/model.ts'
import { settingsModel } from './settings/model.ts'
import { systemModel } from './system/model.ts'
import type { WorkflowModel } from './workflow-model.ts'

export const models: readonly WorkflowModel[] = [
  systemModel,
  fixityModel,
  indexingModel,
  ingestModel,
  matchingModel,
  researchModel,
  settingsModel,
]

import type { WorkflowModel } from '../workflow-model.ts'
import { fixityModel } from './fixity.ts'
import { indexingModel } from './indexing.ts'
import { ingestModel } from './ingest.ts'
import { matchingModel } from './matching.ts'
import { researchModel } from './research.ts'
import { settingsModel } from './settings.ts'
import { systemModel } from './system.ts'

export const models: readonly WorkflowModel[] = [
  systemModel,
  fixityModel,
  indexingModel,
  ingestModel,
  matchingModel,
  researchModel,
  settingsModel,
]

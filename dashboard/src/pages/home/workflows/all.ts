import type { Workflow } from '../report.ts'
import { fixity } from './fixity.ts'
import { indexing } from './indexing.ts'
import { ingest } from './ingest.ts'
import { matching } from './matching.ts'
import { research } from './research.ts'

export const workflows: readonly Workflow[] = [fixity, ingest, indexing, matching, research]

import type { Question } from '../../runtime/question.ts'
import { auditQuestion } from './audit-question.ts'
import { batchQuestion } from './batch-question.ts'
import { capacityQuestion } from './capacity-question.ts'
import { jobQuestion } from './job-question.ts'
import { lanesQuestion } from './lanes-question.ts'
import {
  batchesQuestion,
  holdsQuestion,
  idsQuestion,
  jobsQuestion,
  objectsQuestion,
  profilesQuestion,
  queueQuestion,
  reportsQuestion,
  summaryQuestion,
} from './lists.ts'
import { objectQuestion } from './object-question.ts'
import { reportQuestion } from './report-question.ts'
import { waitingQuestion } from './waiting-question.ts'
import { whyQuestion } from './why-question.ts'

/** Questions about ingest, in the order of its help. */
export const ingestQuestions: readonly Question[] = [
  batchesQuestion,
  lanesQuestion,
  waitingQuestion,
  batchQuestion,
  reportQuestion,
  reportsQuestion,
  jobsQuestion,
  jobQuestion,
  whyQuestion,
  summaryQuestion,
  queueQuestion,
  capacityQuestion,
  holdsQuestion,
  profilesQuestion,
  objectsQuestion,
  objectQuestion,
  idsQuestion,
  auditQuestion,
]

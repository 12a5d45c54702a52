import type { Question } from '../../runtime/question.ts'
import { confirmedQuestion } from './confirmed.ts'
import { documentQuestion } from './document-question.ts'
import { qualityQuestion, stuckQuestion } from './findings.ts'
import { compareGenerationsQuestion, generationsQuestion } from './generations-questions.ts'
import { graphQuestion } from './graph-question.ts'
import { historyQuestion } from './history-question.ts'
import { compareQuestion } from './records-question.ts'
import { refusedQuestion } from './refused.ts'
import { searchQuestion } from './search.ts'
import type { FindUnsent } from './stuck.ts'
import { summaryQuestion } from './summary-question.ts'
import type { LocalPosition } from './verify-graphs.ts'
import { verifyQuestion } from './verify-question.ts'
import { whatIfQuestion } from './what-if-question.ts'
import { whyQuestion } from './why-question.ts'

/** Questions about matching, in the order of its help. */
export const matchingQuestions = (
  localPosition: LocalPosition,
  findUnsent: FindUnsent,
): readonly Question[] => [
  searchQuestion,
  graphQuestion,
  whyQuestion,
  compareQuestion,
  historyQuestion,
  whatIfQuestion,
  documentQuestion,
  summaryQuestion,
  stuckQuestion(findUnsent),
  qualityQuestion,
  confirmedQuestion,
  refusedQuestion,
  verifyQuestion(localPosition),
  compareGenerationsQuestion,
  generationsQuestion,
]

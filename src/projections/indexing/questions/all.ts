import { accessQuestion } from './access-question.ts'
import { capturesQuestion } from './captures-question.ts'
import { holdingsQuestion } from './holdings-question.ts'
import { agesQuestion, failedQuestion, filesQuestion, lateQuestion, reportQuestion } from './lists.ts'
import { runsQuestion } from './runs-question.ts'
import { whyQuestion } from './why-question.ts'

/** Questions about indexing, in the order of the help. */
export const indexingQuestions = [
  reportQuestion,
  filesQuestion,
  failedQuestion,
  lateQuestion,
  agesQuestion,
  capturesQuestion,
  holdingsQuestion,
  runsQuestion,
  accessQuestion,
  whyQuestion,
]

import type { Question } from '../projections/runtime/question.ts'

/** The questions of a workflow by name, in the order of its help. Each is loaded when it is asked. */
export type Questions = Readonly<Record<string, () => Promise<Question>>>

export const allQuestions = (questions: Questions): Promise<readonly Question[]> =>
  Promise.all(Object.values(questions).map((load) => load()))

import { expect, it } from 'vitest'
import { declared } from '#src/workflows/declared.ts'
import { allQuestions } from '#src/workflows/questions.ts'

const withQuestions = Object.entries(declared).flatMap(([name, one]) =>
  'questions' in one ? [[name, one] as const] : [],
)

it.each(withQuestions)('%s has each question under its name, and no other one', async (_, one) => {
  const questions = await one.questions()
  const names = Object.keys(questions)
  expect((await allQuestions(questions)).map(({ name }) => name)).toEqual(names)
  expect((await one.workflow()).questions).toBe(questions)
})

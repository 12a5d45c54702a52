import { expect, it } from 'vitest'
import { foreignAnswer } from '../../dashboard/src/api/foreign-answer.ts'

it.each([
  [413, 'Request Entity Too Large', /413 .*takes nothing so large.*client_max_body_size/],
  [502, 'Bad Gateway', /502 .*does not reach Fonds/],
  [504, '', /504: Fonds took longer/],
  [418, 'I am a teapot', /answered 418 I am a teapot$/],
])('%d says what to ask for, and whom', (status, text, sentence) => {
  expect(foreignAnswer(status, text)).toMatch(sentence)
})

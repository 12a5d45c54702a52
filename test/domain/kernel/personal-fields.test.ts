import { expect, test } from 'vitest'
import { changePersonal } from '#src/domain/kernel/personal-fields.ts'

const hide = (text: string): string => `<${text}>`

test('a text, a list of texts, and a field of each thing in a list are changed; all else stays', () => {
  const data = { by: 'ada', to: ['ben', 3], refused: [{ to: 'eve', why: 'no box' }], note: 'ada' }
  expect(changePersonal(data, ['by', 'to', 'refused.to'], hide)).toEqual({
    by: '<ada>',
    to: ['<ben>', 3],
    refused: [{ to: '<eve>', why: 'no box' }],
    note: 'ada',
  })
})

test('lists in lists are no values of a field, however deep', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}"ada"${']'.repeat(200_000)}`)
  expect(changePersonal({ by: deep }, ['by'], hide)).toEqual({ by: deep })
})

import { expect, it } from 'vitest'
import { namesPlainly } from '#src/app/doctor/plain-names.ts'

const reference = `personal:${'A'.repeat(22)}.${'A'.repeat(43)}`

it.each([
  [{ researcher: 'ada' }, true],
  [{ submission: { submitter: reference, notifyTo: [`${reference}@mail`, 'ada@example.org'] } }, true],
  [{ curator: reference, researcher: reference }, false],
  [{ researcher: 'researcher@host/17/ab12cd.1' }, false],
  [{ title: 'ada', leases: [{ lease: 'l', researcher: reference }] }, false],
  [{ notifyTo: [], submitter: null }, false],
  ['ada', false],
])('of %j: %s', (data, is) => {
  expect(namesPlainly({ data })).toBe(is)
})

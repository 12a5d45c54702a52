import { expect, it } from 'vitest'
import { matchingCommands } from '#src/processors/matching/operator-commands.ts'

const views = {
  query: (_: string, { where }: { where: readonly { value: unknown }[] }) =>
    where[0]?.value === 'herbal' ? [{ work: 'herbal', title: 'A herbal' }] : [],
} as never

it('what was sent again and what counts no more are named with their titles, as far as there is one', () => {
  const done = (name: string, input: object) =>
    matchingCommands.find((command) => command.name === name)?.short?.done(input as never, views)
  expect(done('matching.resend', { work: 'herbal' })).toBe('the graph of herbal “A herbal” was sent again')
  expect(done('matching.resend', { work: 'other' })).toBe('the graph of other was sent again')
  expect(done('matching.drop-link', { from: 'other', to: 'herbal' })).toBe(
    'the link from other to herbal “A herbal” counts no more',
  )
})

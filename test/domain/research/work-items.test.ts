import { expect, it } from 'vitest'
import { workItemsTopic } from '#src/domain/research/work-item.ts'
import stored from './stored-work-items.json' with { type: 'json' }

/* Work items stay on their topic as they were written. A changed shape needs a new example beside the old ones. */

const [item] = workItemsTopic.messages

it.each(stored)('a work item that was stored is read as it was written: $lease', (written) => {
  expect(item.codec.decode(written)).toEqual({ _tag: 'Right', right: written })
})

it('there is one of before strangers were told apart, and one of a stranger', () => {
  const isStrange = ({ episode, clips }: (typeof stored)[number]) =>
    [episode, ...clips].map((one) => 'foreign' in one && one.foreign)
  expect(stored.map(isStrange)).toEqual([
    [false, false],
    [true, true],
  ])
})

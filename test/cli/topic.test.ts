import { expect, test } from 'vitest'
import { findTopic } from '#src/cli/topic.ts'
import { contentTopic, indexTopic } from '#src/domain/fixity/messages.ts'
import { fixityWorkflow } from '#src/workflows/fixity/workflow.ts'

const made = { ...contentTopic, name: 'fonds.fixity.made', madeBy: 'fonds' as const }
const system = { workflows: [{ ...fixityWorkflow, topics: [contentTopic, made, indexTopic] }] }

test('a topic that takes messages', () => {
  expect(findTopic(system, indexTopic.name)).toEqual({ _tag: 'Right', right: indexTopic })
})

test('one that Fonds alone writes is refused, with those that take messages', () => {
  expect(findTopic(system, made.name)).toMatchObject({
    _tag: 'Left',
    left: {
      kind: 'refused',
      message: expect.stringMatching(/^fonds\.fixity\.made is written by Fonds alone/),
      hint: `messages go to ${contentTopic.name}, ${indexTopic.name}`,
    },
  })
})

test('an unknown one is refused, with the nearest that takes messages', () => {
  const found = findTopic(system, 'fonds.fixity.mad')
  expect(found).toMatchObject({
    _tag: 'Left',
    left: { kind: 'refused', message: 'there is no topic fonds.fixity.mad' },
  })
  expect(JSON.stringify(found)).not.toContain(made.name)
})

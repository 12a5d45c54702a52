import { expect, it } from 'vitest'
import { groupOf } from '#src/processors/runtime/processor.ts'
import { testSystem } from '../app/archive.ts'

it('consumer groups are named fonds.<workflow>.<processor>, each once', async () => {
  const system = await testSystem()
  const named = system.workflows.flatMap(({ name, processors }) =>
    processors(system).map((processor) => ({ workflow: name, ...groupOf(processor) })),
  )
  expect(named.length).toBeGreaterThan(6)
  for (const { workflow, group } of named)
    expect(group).toMatch(new RegExp(`^fonds\\.${workflow}\\.[a-z]+(-[a-z]+)*$`))
  const names = named.flatMap(({ group, formerGroup }) => [
    group,
    ...(formerGroup === undefined ? [] : [formerGroup]),
  ])
  expect(new Set(names).size).toBe(names.length)
})

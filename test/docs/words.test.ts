import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itemStates } from '#src/domain/fixity/item-states.ts'
import { fileStates } from '#src/domain/indexing/file-states.ts'
import { JobState } from '#src/domain/ingest/transitions.ts'

const sections = new Map(
  readFileSync(join(import.meta.dirname, '../../docs/words.md'), 'utf8')
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)

describe('the words of', () => {
  it.each([
    ['Fixity', [...Object.keys(itemStates), 'late']],
    ['Indexing', Object.keys(fileStates)],
  ])('%s are all of its states', (workflow, states) => {
    const [, table = ''] = sections.get(workflow)?.split('| state | means |') ?? []
    expect([...table.matchAll(/^\| ([a-z]+) \|/gm)].map(([, state]) => state)).toEqual(
      expect.arrayContaining(states),
    )
    expect(table.match(/^\| [a-z]+ \|/gm)).toHaveLength(states.length)
  })

  it('Ingest name each state of a job', () => {
    for (const state of Object.keys(JobState.keys)) expect(sections.get('Ingest')).toContain(state)
  })
})

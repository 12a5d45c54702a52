import { expect, it } from 'vitest'
import { relatedThings } from '#src/app/related-things.ts'
import type { Adapters } from '#src/workflows/adapters.ts'
import type { Workflow } from '#src/workflows/workflow.ts'
import { emptyWorkflow } from '#src/workflows/workflow.ts'

const viewStore = {} as Parameters<typeof relatedThings>[0]['viewStore']
const adapters = {} as Adapters
const workflow = (name: string, own: Partial<Workflow>): Workflow => ({
  ...emptyWorkflow,
  ...{ name, description: name },
  ...own,
})

/** What is at a place, by place. */
const having =
  (there: Readonly<Record<string, string>>): NonNullable<Workflow['thingsAt']> =>
  (path) =>
    there[path] === undefined ? [] : [{ id: there[path], says: 'it lies there' }]

it('what workflows have in one place is one thing, and each is named once, itself never', async () => {
  const shelf = workflow('shelf', {
    placesOf: async (id) => (id === 'shelf/a' ? ['/srv/a', '/srv/a'] : []),
    thingsAt: having({ '/srv/a': 'shelf/a' }),
  })
  const index = workflow('index', { thingsAt: having({ '/srv/a': 'main/a' }) })
  const intake = workflow('intake', {
    related: (id) => (id === 'shelf/a' ? [{ id: 'main/a', says: 'it came so' }] : []),
  })
  const of = (id: string) => relatedThings({ workflows: [shelf, index, intake], viewStore, adapters }, id)
  expect(await of('shelf/a')).toEqual([{ id: 'main/a', says: 'it came so' }])
  expect(await of('main/a')).toEqual([])
})

it('a hundred things are named at most', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => ({ id: String(i), says: 'one of many' }))
  const workflows = [workflow('batches', { related: () => many })]
  expect(await relatedThings({ workflows, viewStore, adapters }, 'x')).toHaveLength(100)
})

import { describe, expect, it } from 'vitest'
import { settledBy } from '#src/domain/kernel/settled.ts'
import { workflows } from '#src/workflows/all.ts'
import { whyKept } from '#src/workflows/retention/why-kept.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'

const categories = [
  ...workflows.flatMap(({ eventSets }) => eventSets.map(({ category }) => category)),
  'duty',
  'node',
]
const removable = ['deadletter', 'bucketProbe', 'projection']

describe('Q20: which streams may have a policy', () => {
  it.each(categories.filter((category) => !removable.includes(category) && category !== 'node'))(
    '%s: none, as a view, or a rule of Fonds, needs them',
    (category) => {
      const needing = projectionsOf(workflows).filter(({ filter }) => filter.categories?.includes(category))
      const why = whyKept(category, workflows)
      expect(why).toMatch(/^(the views .* are folded from|the workflow .* decides by|streams .* coordinate)/)
      for (const { name } of needing.filter(({ filter }) => !filter.categories?.includes('retention')))
        expect(why).toContain(name)
    },
  )

  it.each(removable)(
    '%s: those that are settled, and each type that settles one is of the category',
    (category) => {
      expect(whyKept(category, workflows)).toBeUndefined()
      const set = workflows.flatMap(({ eventSets }) => eventSets).find((one) => one.category === category)
      expect(
        settledBy(category)!.filter((type) => !(set!.events.types as readonly string[]).includes(type)),
      ).toEqual([])
    },
  )

  it('streams of other programs: all', () => {
    expect(whyKept('sensor', workflows)).toBeUndefined()
    expect(whyKept('toString', workflows)).toBeUndefined()
  })

  it('a workflow that folds one of these keeps it', () => {
    const [one] = projectionsOf(workflows)
    const folding = {
      ...one!,
      name: 'reader',
      filter: { categories: ['sensor', 'deadletter'], types: ['X'] },
    }
    const more = [...workflows, { ...workflows[0]!, name: 'other', eventSets: [], projections: [folding] }]
    for (const category of ['sensor', 'deadletter'])
      expect(whyKept(category, more)).toContain('the views reader')
  })

  it('no reaction and no subscription follows what may be removed', async () => {
    const context = new Proxy({}, { get: () => new Proxy(() => ({}), { get: () => () => ({}) }) }) as never
    const followers = workflows.flatMap((workflow) => {
      try {
        return [...workflow.reactions(context), ...workflow.subscriptions(context)]
      } catch {
        return []
      }
    })
    expect(followers.length).toBeGreaterThan(3)
    for (const { filter } of followers)
      expect(removable.filter((category) => filter.categories?.includes(category) ?? true)).toEqual([])
  })
})

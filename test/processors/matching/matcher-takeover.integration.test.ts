import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WorkState } from '../../../src/domain/matching/work.ts'
import { runs } from '../../runs.ts'
import { drive, expectSettled, type Fault, matcherWorld, type World } from './matcher-world.ts'
import { dieAfter, graphsIn, partition, split, watch, worksSent } from './takeover-world.ts'

/** Whether what is shown is whole, and the same as what was shown at this version before. */
const expectOneContent = (shown: Map<string, string>, name: string, size: number, works: string): void => {
  expect(`${name} ${works.split(' ').length}`).toBe(`${name} ${size}`)
  expect(works).toBe(shown.get(name) ?? works)
  shown.set(name, works)
}

describe('given any graph', () => {
  const ids = Array.from({ length: 8 }, (_, i) => `w${i}`)
  const said = fc.record({
    id: fc.constantFrom(...ids),
    links: fc.uniqueArray(fc.constantFrom(...ids, 'p'), { maxLength: 2 }),
    state: fc.constantFrom<WorkState>('visible', 'visible', 'visible', 'deleted'),
  })
  const some = fc.array(said, { minLength: 1, maxLength: 12 })
  const life = fc.record({
    known: some,
    changed: some,
    newer: fc.array(said, { maxLength: 6 }),
    crashAt: fc.nat({ max: 12 }),
    fault: fc.constantFrom<Fault>('before', 'after'),
    maxAppendBytes: fc.constantFrom(1, 300, 1000),
  })
  const observe = async (
    world: World,
    facts: readonly (typeof said extends fc.Arbitrary<infer A> ? A : never)[],
  ) => {
    for (const { id, links, state } of facts)
      await world.observe(
        id,
        links.filter((to) => to !== id),
        state,
      )
  }
  test('when its matcher dies at any append and another goes on with newer facts, then it ends as if none had died, and no version is ever shown or sent with two contents, nor in part', async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ known, changed, newer, crashAt, fault, maxAppendBytes }) => {
        const limits = { ...split, maxAppendBytes }
        const [torn, plain] = [matcherWorld(), matcherWorld()]
        const [watched, uninterrupted] = [watch(torn), watch(plain)]
        const [shown, sent] = [new Map<string, string>(), new Map<string, string>()]
        const look = () => {
          for (const { name, size, works } of graphsIn(watched)) expectOneContent(shown, name, size, works)
          for (const [name, { size, works }] of worksSent(watched)) expectOneContent(sent, name, size, works)
        }
        await observe(torn, known)
        await drive(torn, torn.newMatcher({ split: limits }))
        await observe(torn, changed)
        await dieAfter(torn, crashAt, fault, limits)
        await watched.follow(look)
        await observe(torn, newer)
        await drive(torn, torn.newMatcher({ split: limits }))
        await watched.follow(look)

        for (const facts of [known, changed, newer]) {
          await observe(plain, facts)
          await drive(plain, plain.newMatcher({ split: limits }))
        }
        await uninterrupted.follow()
        await expectSettled(torn)
        expect(partition(watched)).toEqual(partition(uninterrupted))
        watched.viewStore.close()
        uninterrupted.viewStore.close()
      }),
      { numRuns: runs(100) },
    )
  })
})

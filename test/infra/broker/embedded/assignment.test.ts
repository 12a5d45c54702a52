import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assign, type Subscriber } from '../../../../infra/broker/embedded/assignment.ts'
import { runs } from '../../../runs.ts'

const topics = [1, 2, 3]
const names = ['a', 'b', 'c', 'd', 'e']

const subscribers = (sameTopics: boolean): fc.Arbitrary<Subscriber[]> =>
  fc.subarray(names, { minLength: 1 }).chain((members) =>
    fc.tuple(
      ...members.map((member) =>
        (sameTopics ? fc.constant(topics) : fc.subarray(topics)).map((some) => ({
          member,
          topics: new Set(some),
        })),
      ),
    ),
  )

/** Owners may be gone, or read other topics by now. */
const partitions = fc
  .array(fc.record({ topic: fc.constantFrom(...topics), owner: fc.constantFrom(null, ...names) }), {
    maxLength: 30,
  })
  .map((list): Parameters<typeof assign>[0] => list.map((one, partition) => ({ ...one, partition })))

const loads = (target: ReadonlyMap<number, string>, members: readonly Subscriber[]) =>
  members.map(({ member }) => [...target.values()].filter((one) => one === member).length)

describe('assignment', () => {
  it('gives every partition that somebody reads to one of its readers', () => {
    fc.assert(
      fc.property(partitions, subscribers(false), (all, members) => {
        const target = assign(all, members)
        for (const { partition, topic } of all) {
          const readers = members.filter((one) => one.topics.has(topic)).map((one) => one.member)
          if (readers.length === 0) expect(target.has(partition)).toBe(false)
          else expect(readers).toContain(target.get(partition))
        }
      }),
    )
  })

  it('is fair: members that read the same differ by one at most', () => {
    fc.assert(
      fc.property(partitions, subscribers(true), (all, members) => {
        const counts = loads(assign(all, members), members)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('is settled: once everyone holds its own, nothing moves any more', () => {
    fc.assert(
      fc.property(partitions, subscribers(false), (all, members) => {
        const target = assign(all, members)
        const settled = all.map((one) => ({ ...one, owner: target.get(one.partition) ?? null }))
        expect(assign(settled, members)).toEqual(target)
      }),
    )
  })

  it('moves no more than fairness needs', () => {
    fc.assert(
      fc.property(partitions, subscribers(true), (all, members) => {
        const target = assign(all, members)
        const present = new Set(members.map((one) => one.member))
        const held = new Map(names.map((name) => [name, all.filter((one) => one.owner === name).length]))
        const fair = Math.floor(all.length / members.length)
        for (const { partition, owner } of all)
          if (owner !== null && present.has(owner) && target.get(partition) !== owner)
            expect(held.get(owner)!).toBeGreaterThan(fair)
      }),
      { numRuns: runs(1000) },
    )
  })
})

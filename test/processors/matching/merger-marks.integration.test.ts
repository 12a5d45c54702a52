import fc from 'fast-check'
import { left } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { documentsOf } from '#src/domain/matching/merged/documents.ts'
import { defaultRules } from '#src/domain/matching/merged/rules.ts'
import type { GraphChangedMessage } from '#src/domain/matching/messages.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { runs } from '../../runs.ts'
import { withWorks } from './merger-world.ts'

/* What merger-marks.test.ts shows by examples, of any changes of a few works. */

const ids = ['a', 'b', 'c', 'd', 'e']
const step = fc.record({
  /** Which component each work is in. */
  parts: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 }),
  renamed: fc.option(fc.constantFrom(...ids)),
  /** Delivered as soon as they are there, or only in the end. */
  isPrompt: fc.boolean(),
})
const delivery = fc.record({
  pick: fc.nat(),
  batch: fc.integer({ min: 1, max: 3 }),
  /** A process of its own, which works at the same time. */
  beside: fc.option(fc.nat()),
  /** Ends after so many appends. */
  crash: fc.option(fc.integer({ min: 0, max: 6 })),
})

it('M10, M12: in any order, in any batches, side by side, through any crash: the documents of the last change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 5 }),
      fc.array(delivery, { maxLength: 10 }),
      fc.nat(),
      async (steps, deliveries, turn) => {
        const world = withWorks(...ids)
        const messages: GraphChangedMessage[] = []
        let before: readonly string[] = []
        for (const [n, { parts, renamed, isPrompt }] of steps.entries()) {
          if (renamed) world.work(renamed, { title: `${renamed} ${n}` })
          const groups = [...Map.groupBy(ids, (_, i) => parts[i]).values()]
          const changed = groups.filter(
            (group) => !before.includes(group.join()) || group.includes(renamed ?? ''),
          )
          before = groups.map((group) => group.join())
          if (changed.length === 0) continue
          const told = await world.change(...changed)
          messages.push(...told)
          if (isPrompt) await world.start().deliver(told)
        }
        const some = (pick: number, batch: number) =>
          Array.from({ length: batch }, (_, i) => messages[(pick + 3 * i) % messages.length]!)
        for (const { pick, batch, beside, crash } of deliveries) {
          const store = crash === null ? world.eventStore : endingAfter(world.eventStore, crash)
          const one = world.start(store).deliver(some(pick, batch))
          const other = beside === null ? undefined : world.start().deliver(some(beside, batch))
          await Promise.allSettled([one, other])
        }
        // Whatever came before, each has come at least once in the end.
        const from = turn % messages.length
        for (const message of [...messages.slice(from), ...messages.slice(0, from)])
          await world.start().deliver([message])

        const last = new Map(messages.flatMap((message) => message.members.map(([work]) => [work, message])))
        const expected = [...new Set(last.values())].flatMap(({ component, members }) => [
          ...documentsOf({ component, members: members.map(([id]) => world.content(id)) }, defaultRules),
        ])
        const held = [...(await world.index())].map(([work, { document }]) => [work, document] as const)
        expect(Object.fromEntries(held)).toEqual(Object.fromEntries(expected))
        expect(await world.letters()).toEqual([])
        // Whoever keeps what has the highest version has the same.
        for (const [, life] of Map.groupBy(await world.accepted(), ({ work }) => work))
          expect(life.map(({ version }) => version)).toEqual(
            life.map(({ version }) => version).toSorted((a, b) => a - b),
          )
      },
    ),
    { numRuns: runs(150) },
  )
})

/** A process that ends: of its appends only the first few are made. */
const endingAfter = (store: EventStore, appends: number): EventStore => {
  let left_ = appends
  return {
    ...store,
    append: (...append) =>
      left_-- > 0
        ? store.append(...append)
        : async () => left({ kind: 'Unavailable', reason: 'it has ended' }),
  }
}

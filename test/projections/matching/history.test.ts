import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { countRows, isSet } from '#src/domain/kernel/read-views.ts'
import { HistoryNotKept, type Views } from '#src/domain/kernel/view.ts'
import { graphs, links, placeholders, works } from '#src/domain/matching/views.ts'
import { matching } from '#src/projections/matching/projection.ts'
import { compareGenerations } from '#src/projections/matching/questions/compare-generations.ts'
import { componentAnswer } from '#src/projections/matching/questions/component.ts'
import { history } from '#src/projections/matching/questions/history.ts'
import { quality } from '#src/projections/matching/questions/quality.ts'
import { mergedRow } from '#src/projections/matching/questions/reading.ts'
import { search } from '#src/projections/matching/questions/search.ts'
import { stuck } from '#src/projections/matching/questions/stuck.ts'
import { summary } from '#src/projections/matching/questions/summary.ts'
import { why } from '#src/projections/matching/questions/why.ts'
import { runs } from '../../runs.ts'
import { catalogue } from './catalogue.ts'
import { foldAll, openMatching } from './folding.ts'

/* Page P61: as of any moment questions are answered as by views that are folded up to there. */

const ids = ['A', 'B', 'C', 'D', 'E']

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      id: fc.constantFrom(...ids.slice(0, 4)),
      links: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
      state: fc.constantFrom(
        'visible' as const,
        'visible' as const,
        'invisible' as const,
        'deleted' as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant('flush' as const) },
  { weight: 1, arbitrary: fc.constant('merge' as const) },
)

/** Those of one rank come by the numbers of their ids, which depend on what was folded together. */
const sorted = <Line extends { readonly what: string; readonly id: string }>(lines: readonly Line[]) =>
  lines.toSorted((one, other) => (`${one.what} ${one.id}` < `${other.what} ${other.id}` ? -1 : 1))

const oddIn = (views: Views, isPast = false) => sorted(quality(views, { alarmSize: 2, hubSize: 1, isPast }))
const stuckIn = (views: Views, isPast = false) => sorted(stuck(views, '2999-01-01T00:00:00.000Z', { isPast }))

const answersOf = async (views: Views) => ({
  summary: summary(views),
  quality: oddIn(views),
  stuck: stuckIn(views),
  compared: await compareGenerations(views, 1, 2),
  of: await Promise.all(
    ids.map(async (id) => ({
      graph: componentAnswer(views, id),
      near: componentAnswer(views, id, { radius: 1, maxWorks: 2 }),
      why: ids.map((other) => why(views, id, other)),
      history: history(views, id),
      document: mergedRow(views, 1, id),
      found: await search(views, id, { offset: 0, limit: 10 }),
    })),
  ),
})

const rowsCounted = (views: Views) => ({
  links: countRows(views, links),
  placeholders: countRows(views, placeholders),
  corrected: countRows(views, works, { column: 'corrections', is: '>', value: 0 }),
  unmatched: countRows(views, works, isSet('unmatchedSince')),
  unindexed: countRows(views, graphs, isSet('waitingSince')),
  faults: countRows(views, graphs, isSet('fault')),
})

it('P61: as of any moment works, graphs, reasons, histories and documents are what they were then', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.integer({ min: 1, max: 7 }),
      async (steps, batch) => {
        const log = catalogue()
        for (const one of steps)
          if (one === 'flush') log.flush()
          else if (one === 'merge') log.merge()
          else log.say(one.id, one)
        const { events } = log
        if (events.length === 0) return
        const all = openMatching({ rowBytes: 4000, keepsHistory: true })
        foldAll(all.viewStore, all.generation, events, batch)
        all.viewStore.promote(all.generation)
        const live = { ...all.generation, status: 'live' } as const
        const pastAt = ({ position, recordedAt }: RecordedEvent) =>
          all.viewStore.asOf(live, { position, time: recordedAt })
        const then = openMatching()
        then.viewStore.promote(then.generation)
        const answers: Awaited<ReturnType<typeof answersOf>>[] = []
        for (const event of events) {
          foldAll(then.viewStore, then.generation, [event])
          const answer = await answersOf(then.viewStore)
          expect(answer.summary).toMatchObject(rowsCounted(then.viewStore))
          const past = pastAt(event)
          expect(await answersOf(past), `at ${event.position}`).toEqual(answer)
          // What there was none of is not looked for.
          expect(stuckIn(past, true)).toEqual(answer.stuck)
          expect(oddIn(past, true)).toEqual(answer.quality)
          answers.push(answer)
        }
        // What is kept for some days only is what it was, and is what a rebuild has.
        while (all.viewStore.dropHistory(live, events[events.length >> 1]?.recordedAt ?? ''));
        const kept = all.viewStore.historyFrom(live) ?? -1n
        const first = events.findIndex(({ position }) => position >= kept)
        for (const i of new Set([first, events.length - 1]))
          expect(await answersOf(pastAt(events[i]!))).toEqual(answers[i])
        for (const event of events.slice(0, first))
          expect(() => summary(pastAt(event))).toThrow(HistoryNotKept)
        const other = all.viewStore.create(matching.name, matching.version, matching.views)
        foldAll(all.viewStore, other, events)
        expect(all.viewStore.compare(live, other)).toEqual([])
        all.viewStore.close()
        then.viewStore.close()
      },
    ),
    { numRuns: runs(12) },
  )
})

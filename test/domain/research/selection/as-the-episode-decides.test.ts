import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import { createSchedulerState } from '#src/domain/research/selection/create-scheduler-state.ts'
import { clipCategory, episodeCategory } from '#src/domain/research/terms.ts'
import { runs } from '../../../runs.ts'
import { curated, grant, t } from '../episode/episodes.ts'
import { clips, type Lived, live, lives } from '../episode/lives.ts'
import { recorded } from './log-entries.ts'

/*
 * Two judges of one lease: the episode's stream, which writes an expired one off before it does anything else, and the
 * scheduler state, which keeps it until that is written and lets an extension revive it. What one calls open the other must grant.
 */

const id = 'tbtl-4611'
const sighting = curated.type === 'Curated' ? curated : expect.fail()
const minutesAt = (at: string): number => (Date.parse(at) - Date.parse(t(0))) / 60_000

/** By the episode: whether a lease on the clip would be granted then. */
const isGranted = (state: typeof episodeDecider.initial, clip: string, at: string): boolean =>
  !isLeft(episodeDecider.decide(grant(minutesAt(at), { probe: [clip] }), state))

test('F2, L29, L37: at any time a pair is open in the scheduler state exactly where its episode would grant it', () => {
  let [open, closed] = [0, 0]
  fc.assert(
    fc.property(lives, (life) => {
      const scheduler = createSchedulerState()
      let state = episodeDecider.initial
      let now = t(0)
      const fold = (event: EpisodeEvent) => {
        scheduler.fold(recorded({ of: episodeCategory, id, event }))
        state = episodeDecider.evolve(state, event)
      }
      const agree = () => {
        scheduler.advance(now)
        for (const clip of clips) {
          const kinds = scheduler.explainPair(id, clip).map(({ kind }) => kind)
          const isOpen = !kinds.includes('leased') && !kinds.includes('researched')
          expect([clip, now, isOpen]).toEqual([clip, now, isGranted(state, clip, now)])
          if (isOpen) open++
          else closed++
        }
      }
      fold(curated)
      for (const clip of clips) scheduler.fold(recorded({ of: clipCategory, id: clip, event: sighting }))
      for (const { command, events } of live(life) satisfies readonly Lived[]) {
        if (command.at > now) now = command.at
        for (const event of events) fold(event)
        agree()
      }
      // And when time alone goes on.
      for (let next = scheduler.nextChange(); next !== undefined; next = scheduler.nextChange()) {
        now = next
        agree()
      }
    }),
    { numRuns: runs(200) },
  )
  expect(Math.min(open, closed)).toBeGreaterThan(runs(200) * 5)
})

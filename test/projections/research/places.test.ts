import { beforeEach, describe, expect, it } from 'vitest'
import { rows } from '#src/domain/kernel/read-views.ts'
import { placesOf } from '#src/domain/research/places.ts'
import { clipResults } from '#src/domain/research/views.ts'
import { findings } from '#src/projections/research/questions/findings.ts'
import { findingsQuestion } from '#src/projections/research/questions/findings-question.ts'
import { timelineOf } from '#src/projections/research/questions/timeline.ts'
import { timelineLabels } from '#src/projections/research/questions/timeline-labels.ts'
import { type Folded, folded } from './folding.ts'
import { engine, second } from './log.ts'

/** A jingle of 3 s at 10 s and 100 s, with ghosts of it beside, as `correlator 2` reported them. */
const jingle = [
  { offset: 8.4 * second, score: 0.61 },
  { offset: 10 * second, score: 1 },
  { offset: 11.6 * second, score: 0.63 },
  { offset: 100 * second, score: 0.99 },
  { offset: 101.5 * second, score: 0.6 },
  { offset: 103 * second, score: 0.98 },
]
const clipDuration = 3 * second
const offsets = (matches: readonly { readonly offset: number }[]) =>
  matches.map(({ offset }) => offset / second)

describe('matches that overlap are one place', () => {
  it('the best stays; what follows it at once is another place', () => {
    const { matches, overlapping } = placesOf({ matches: jingle, clipDuration, engine })
    expect(offsets(matches)).toEqual([10, 100, 103])
    expect(offsets(overlapping)).toEqual([8.4, 11.6, 101.5])
  })

  it('by their durations: of parts, and at other speeds', () => {
    const matches = [
      { offset: 0, score: 0.9, part: { from: 2 * second, to: 3 * second } },
      { offset: second, score: 0.95, speed: 2 },
      { offset: 2.5 * second, score: 0.8 },
    ]
    expect(placesOf({ matches, clipDuration, engine }).matches).toHaveLength(3)
    const slower = matches.with(1, { offset: second, score: 0.95, speed: 1.5 })
    expect(offsets(placesOf({ matches: slower, clipDuration, engine }).matches)).toEqual([0, 1])
  })

  /** A jingle of equal halves: half of it scores the root of a half beside silence. */
  const placed = (...list: readonly (readonly [at: number, score: number])[]) =>
    offsets(
      placesOf({
        matches: list.map(([at, score]) => ({ offset: at * second, score })),
        clipDuration,
        engine,
      }).matches,
    )
  it('two plays in a row stay two, where a place between them scores as well or a little better', () => {
    expect(placed([8.5, 0.7], [10, 0.97], [11.5, 1], [13, 0.98], [14.5, 0.7])).toEqual([10, 13])
    expect(placed([10, 0.97], [11.5, 1], [13, 0.97], [14.5, 1], [16, 0.97])).toEqual([10, 13, 16])
    expect(placed([8.5, 0.7], [10, 1], [11.5, 0.7])).toEqual([10])
    expect(placed([8.5, 0.7], [10, 0.7])).toEqual([8.5])
  })

  it('a clip that is the whole episode is one place, and not two halves at its ends', () => {
    const matches = [
      { offset: 0, score: 1, part: { from: 1.5 * second, to: 3 * second } },
      { offset: 0, score: 1 },
      { offset: 1.5 * second, score: 1, part: { from: 0, to: 1.5 * second } },
    ]
    expect(placesOf({ matches, clipDuration, engine }).matches).toEqual([matches[1]])
  })

  it('the search keeps places apart by their sound since version 3: silence at the ends of a clip may overlap', () => {
    const newer = { ...engine, name: 'correlator', version: '3-drift-0.1' }
    expect(placesOf({ matches: jingle, clipDuration, engine: newer }).matches).toEqual(jingle)
    const others = { ...newer, name: 'ears' }
    expect(placesOf({ matches: jingle, clipDuration, engine: others }).matches).toHaveLength(3)
  })
})

describe('in the views', () => {
  let all: Folded
  beforeEach(() => {
    all = folded()
    all.log.episode('E', { title: 'The Gala', uri: 'https://media.example/1.mp3' })
    all.log.clip('j', { title: 'The jingle' })
  })
  const judge = (offset: number, verdict: 'confirmed' | 'rejected') =>
    all.log.judged('E', 'j', { offset: offset * second, verdict, reason: 'heard it' })
  const listed = () => offsets(findings(all.views, { episode: 'E' }).findings)
  const clipRow = () => rows(all.views, clipResults)[0]

  it('lists, totals, labels and counts of what was stored before have one', () => {
    all.log.result('E', 'j', { matches: jingle })
    expect(listed()).toEqual([10, 100, 103])
    expect(findings(all.views, { clip: 'j', limit: 1, offset: 1 })).toMatchObject({
      findings: [{ offset: 100 * second }],
      total: 3,
    })
    expect(timelineLabels(timelineOf(all.views, 'E')).split('\n')).toHaveLength(4)
    expect(clipRow()).toMatchObject({ occurrences: 3, found: 1 })
  })

  it('what a person judged is listed, whether judged before or after', () => {
    all.log.result('E', 'j', { matches: jingle })
    judge(11.6, 'rejected')
    expect(listed()).toEqual([10, 11.6, 100, 103])
    expect(clipRow()).toMatchObject({ occurrences: 4 })
    all.log.reopen('E')
    all.log.result('E', 'j', { matches: jingle })
    expect(listed()).toEqual([10, 11.6, 100, 103])
    expect(clipRow()).toMatchObject({ occurrences: 4, found: 1 })
  })

  it('an episode without any sound is reported as silent, until there is sound in it', () => {
    const none = () =>
      findingsQuestion.nothing?.({ findings: [], total: 0, gaps: [], gapsTotal: 0 }, {
        views: all.views,
        input: { episode: 'E' },
      } as never)
    all.log.result('E', 'j', { bestScore: 0, silent: 'episode' })
    expect(timelineOf(all.views, 'E')).toMatchObject({ silent: true, occurrences: [] })
    expect(none()).toMatch(/^E is silent: no channel has any sound/)
    all.log.result('E', 'other', { bestScore: 0, silent: 'clip' })
    expect(timelineOf(all.views, 'E')).toMatchObject({ silent: true })
    all.log.result('E', 'j', { bestScore: 0.2, repeat: true })
    expect(timelineOf(all.views, 'E')).not.toHaveProperty('silent')
    expect(none()).toMatch(/was found in E/)
  })

  it('X3: silent is said of an episode only if all of it was decoded, whoever reports it', () => {
    const gaps = { count: 1, duration: second, places: [{ offset: 5 * second, duration: second }] }
    const none = () =>
      findingsQuestion.nothing?.({ findings: [], total: 0, gaps: [], gapsTotal: 0 }, {
        views: all.views,
        input: { episode: 'E' },
      } as never)
    const isSilent = () => timelineOf(all.views, 'E').silent === true
    all.log.result('E', 'j', { bestScore: 0, silent: 'episode', episodeHash: 'one', gaps })
    expect(isSilent()).toBe(false)
    expect(none()).toMatch(/was found in E/)
    expect(none()).not.toMatch(/silent/)
    // Another file, whole and silent; then that one damaged, of which a researcher says nothing but the gap.
    all.log.result('E', 'k', { bestScore: 0, silent: 'episode', episodeHash: 'two' })
    expect(isSilent()).toBe(true)
    expect(none()).toMatch(/^E is silent/)
    all.log.result('E', 'l', { bestScore: 0, episodeHash: 'three', gaps })
    expect(isSilent()).toBe(false)
    expect(none()).not.toMatch(/silent/)
  })
})

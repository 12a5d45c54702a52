import { beforeEach, describe, expect, it } from 'vitest'
import type { Row } from '#src/domain/kernel/view.ts'
import { holdsBit } from '#src/projections/research/bits.ts'
import { findings } from '#src/projections/research/questions/findings.ts'
import { countGaps, gapSentence, gapSentences, gapsOf } from '#src/projections/research/questions/gaps.ts'
import { type Folded, folded } from './folding.ts'
import { engine, second, t } from './log.ts'

let all: Folded
beforeEach(() => {
  all = folded()
  all.log.episode('E')
  for (const clip of ['a', 'b', 'c']) all.log.clip(clip)
})

const done = (episode = 'E') => {
  const bits = (all.row('research-episode-results', { episode })?.done ?? {}) as Record<string, string>
  return Object.fromEntries(
    Object.entries(bits).map(([key, text]) => [
      key,
      all
        .rows('research-clip-results')
        .filter(({ number }) => holdsBit(text, number as number))
        .map(({ clip }) => clip)
        .join(' '),
    ]),
  )
}
const finding = (clip: string): Row | undefined => all.row('research-findings', { episode: 'E', clip })
const counts = () => {
  const { researched, found } = all.row('research-episode-results', { episode: 'E' })!
  return { researched, found }
}
const other = { ...engine, version: '2' }

describe('verdicts', () => {
  it('X3: the last word on a place is kept, with who said it, and stands with its finding', () => {
    all.log.result('E', 'a', { found: [10, 20] })
    const judge = (offset: number, verdict: 'confirmed' | 'rejected') =>
      all.log.judged('E', 'a', { offset: offset * second, verdict, reason: `heard ${verdict}` })
    judge(10, 'confirmed')
    judge(20, 'confirmed')
    judge(20, 'rejected')
    expect(all.rows('research-verdicts')).toMatchObject([
      { episode: 'E', clip: 'a', offset: 10 * second, verdict: 'confirmed' },
      { episode: 'E', clip: 'a', offset: 20 * second, verdict: 'rejected', reason: 'heard rejected' },
    ])
    expect(findings(all.views).findings.map(({ verdict }) => verdict)).toEqual(['confirmed', 'rejected'])
  })
})

describe('results', () => {
  it('L43: a pair is done with or without a match; only a match has a row', () => {
    all.log.result('E', 'a', { found: [10] })
    all.log.result('E', 'b')
    expect(done()).toEqual({ 'correlator 1': 'a b' })
    expect(counts()).toEqual({ researched: 2, found: 1 })
    expect(all.rows('research-findings')).toHaveLength(1)
    expect(finding('a')).toMatchObject({
      matches: [{ offset: 10 * second, score: 0.9 }],
      matchCount: 1,
      bestScore: 0.9,
      revision: 1,
      others: [],
    })
    expect(all.row('research-clip-results', { clip: 'a' })).toMatchObject({ found: 1, occurrences: 1 })
  })

  it('clips are numbered in the order of the log; one that only results name has a number too', () => {
    all.log.result('E', 'z')
    all.log.clip('y')
    expect(all.rows('research-clip-results').map(({ clip, number }) => [clip, number])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['y', 4],
      ['z', 3],
    ])
  })

  it('F11: a repeat counts once, and stands beside the result that counts', () => {
    all.log.result('E', 'a', { found: [10] })
    all.log.result('E', 'a', { found: [11, 20], repeat: true, researcher: 'listener-2' })
    expect(counts()).toEqual({ researched: 1, found: 1 })
    expect(finding('a')).toMatchObject({
      matchCount: 1,
      researcher: 'listener-1',
      others: [{ researcher: 'listener-2', revision: 2 }],
    })
    expect(all.row('research-hours')).toMatchObject({ researched: 1, repeats: 1, found: 1 })
  })

  it('a repeat with a match, where the result that counts has none: listed, and not found', () => {
    all.log.result('E', 'a')
    all.log.result('E', 'a', { found: [10], repeat: true })
    expect(finding('a')).toMatchObject({
      matches: [],
      matchCount: 0,
      revision: null,
      others: [{ revision: 2 }],
    })
    expect(counts()).toEqual({ researched: 1, found: 0 })
  })

  it('X9: reopened pairs are open, what was found stays; a new result takes its place beside it', () => {
    all.log.result('E', 'a', { found: [10] })
    all.log.result('E', 'b')
    all.log.reopen('E')
    expect(done()).toEqual({})
    expect(counts()).toEqual({ researched: 0, found: 1 })
    all.log.result('E', 'a', { engine: other })
    expect(done()).toEqual({ 'correlator 2': 'a' })
    expect(counts()).toEqual({ researched: 1, found: 0 })
    expect(finding('a')).toMatchObject({
      matches: [],
      engine: other,
      others: [{ engine, matches: [{ offset: 10 * second, score: 0.9 }], revision: 1 }],
    })
    expect(all.row('research-clip-results', { clip: 'a' })).toMatchObject({ found: 0, occurrences: 0 })
    all.log.reopen('E')
    all.log.result('E', 'a', { found: [10, 30] })
    expect(finding('a')).toMatchObject({ matchCount: 2, others: [{ revision: 1 }, { revision: 4 }] })
    expect(all.row('research-clip-results', { clip: 'a' })).toMatchObject({ found: 1, occurrences: 2 })
  })

  it('X9: only those of an engine, and of clips; by the engine of the result that counts', () => {
    all.log.result('E', 'a')
    all.log.result('E', 'a', { engine: other, repeat: true })
    all.log.result('E', 'b', { engine: other })
    all.log.result('E', 'c', { engine: other })
    all.log.reopen('E', { engines: ['correlator 2'], clips: ['a', 'b', 'unheard of'] })
    expect(done()).toEqual({ 'correlator 1': 'a', 'correlator 2': 'c' })
    all.log.reopen('E', { engines: ['correlator 1'] })
    expect(done()).toEqual({ 'correlator 2': 'c' })
    all.log.reopen('E', { clips: ['c'] })
    expect(done()).toEqual({})
    expect(counts()).toEqual({ researched: 0, found: 0 })
  })

  it('of other results of a pair the latest hundred are kept', () => {
    all.log.result('E', 'a', { found: [10] })
    for (let i = 0; i < 103; i++) all.log.result('E', 'a', { repeat: true })
    const others = finding('a')?.others as readonly Row[]
    expect(others).toHaveLength(100)
    expect(others.at(-1)).toMatchObject({ revision: 104 })
  })

  it('X13: hours count what was done, what was late, and how long results take to come in', () => {
    const at = '2026-01-01T05:59:59.999Z'
    all.log.result('E', 'a', { at, researchedAt: '2026-01-01T05:59:58.499Z', found: [1] })
    all.log.result('E', 'b', {
      at,
      researchedAt: '2026-01-01T06:30:00.000Z',
      lease: 'L',
      effect: { kind: 'none', because: 'expired' },
    })
    all.log.result('E', 'c', { at: '2026-01-01T06:00:00.000Z', researchedAt: '2026-01-01T06:00:00.000Z' })
    expect(all.rows('research-hours')).toMatchObject([
      { hour: '2026-01-01T05:00:00.000Z', researched: 2, found: 1, late: 1, intakeSeconds: 1.5 },
      { hour: '2026-01-01T06:00:00.000Z', researched: 1, found: 0, late: 0, intakeSeconds: 0 },
    ])
  })

  it('X5: whoever reports is a researcher, registered or not', () => {
    all.log.result('E', 'a', { found: [1] })
    all.log.result('E', 'b')
    expect(all.row('research-researchers')).toMatchObject({
      researcher: 'listener-1',
      registeredAt: null,
      results: 2,
      found: 1,
      lastResultAt: t(5),
    })
  })
})

describe('what cannot be decoded', () => {
  const gaps = {
    count: 2,
    duration: 103.1 * second,
    places: [
      { offset: 12.3 * second, duration: 0.1 * second },
      { offset: 3500 * second, duration: 103 * second },
    ],
  }

  it('X3: stands beside the findings, with place and length, also where none was found', () => {
    all.log.episode('F')
    all.log.result('F', 'a', { episodeHash: 'one' })
    all.log.result('E', 'a', { episodeHash: 'one', gaps })
    expect(gapsOf(all.views, {})).toMatchObject([{ episode: 'E', ...gaps }])
    expect(gapsOf(all.views, { episode: 'F' })).toEqual([])
    for (const episode of ['E', 'F']) all.log.result(episode, 'b', { found: [10] })
    expect(findings(all.views).findings.map(({ undecoded }) => undecoded)).toEqual([gaps.duration, undefined])
    expect(gapSentence(gapsOf(all.views, { episode: 'E' })[0]!)).toBe(
      '1:43.1 of E cannot be decoded, and no clip can be found there: at 0:12.3 (0.1 s), 58:20.0 (1:43); fetch or export it again',
    )
  })

  it('is forgotten when another file has none, and not when a researcher does not name the file', () => {
    all.log.result('E', 'a', { episodeHash: 'one', gaps })
    all.log.result('E', 'b')
    expect(gapsOf(all.views, {})).toHaveLength(1)
    all.log.result('E', 'c', { episodeHash: 'two' })
    expect(gapsOf(all.views, {})).toEqual([])
  })

  it('a list that leaves out episodes says how many', () => {
    for (let n = 0; n < 1003; n++) all.log.result(`damaged-${n}`, 'a', { gaps })
    const listed = gapsOf(all.views, {})
    expect(listed).toHaveLength(1000)
    expect(countGaps(all.views, {})).toBe(1003)
    expect(countGaps(all.views, { episode: 'damaged-7' })).toBe(1)
    expect(countGaps(all.views, { episode: 'E' })).toBe(0)
    const sentences = gapSentences(listed, 1003)
    expect(sentences).toHaveLength(21)
    expect(sentences.at(-1)).toBe(
      'a part of 983 more episodes cannot be decoded: `fonds query research-gaps --format csv` lists all of them',
    )
    expect(gapSentences(listed.slice(0, 1), 1)).toHaveLength(1)
  })
})

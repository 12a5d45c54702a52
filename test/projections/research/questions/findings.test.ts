import { beforeEach, describe, expect, it } from 'vitest'
import { findings, linkTo } from '#src/projections/research/questions/findings.ts'
import { occurrenceNote } from '#src/projections/research/questions/occurrence-note.ts'
import { pair } from '#src/projections/research/questions/pair.ts'
import { fakeEventStore } from '../../../fakes/event-store.ts'
import { type Folded, folded } from '../folding.ts'
import { engine, second } from '../log.ts'

let all: Folded
beforeEach(() => {
  all = folded()
  all.log.episode('E1', { title: 'The Gala', uri: 'https://media.example/1.mp3' })
  all.log.episode('E2', { title: 'The Trial', uri: 'https://media.example/2.mp3#t=5' })
  all.log.clip('a', { title: 'Applause' })
  all.log.clip('g', { title: 'The GURGLE' })
  all.log.result('E1', 'g', { found: [1754.2, 20] })
  all.log.result('E1', 'a', { found: [100] })
  all.log.result('E2', 'g', { found: [7.0004] })
  all.log.result('E2', 'a')
})
const places = (scope = {}) =>
  findings(all.views, scope).findings.map(
    ({ episode, clip, offset }) => `${episode} ${clip} ${offset / second}`,
  )

describe('X3: findings', () => {
  it('a clip: all episodes and offsets, with a link to the moment', () => {
    expect(places({ clip: 'g' })).toEqual(['E1 g 20', 'E1 g 1754.2', 'E2 g 7.0004'])
    expect(findings(all.views, { clip: 'g' }).findings[1]).toEqual({
      episode: 'E1',
      episodeTitle: 'The Gala',
      clip: 'g',
      clipTitle: 'The GURGLE',
      offset: 1754.2 * second,
      score: 0.9,
      duration: 3 * second,
      link: 'https://media.example/1.mp3#t=1754.2',
    })
  })

  it('an episode: its timeline', () => {
    expect(places({ episode: 'E1' })).toEqual(['E1 g 20', 'E1 a 100', 'E1 g 1754.2'])
    expect(places({ episode: 'E1', clip: 'a' })).toEqual(['E1 a 100'])
  })

  it('by words in the title of a clip or an episode, in whatever case', () => {
    expect(places({ text: 'gurg' })).toEqual(['E1 g 20', 'E1 g 1754.2', 'E2 g 7.0004'])
    expect(places({ text: 'GALA' })).toEqual(places({ episode: 'E1' }))
    expect(places({ text: 'the' })).toHaveLength(4)
    expect(places({ text: 'gurg', episode: 'E2' })).toEqual(['E2 g 7.0004'])
    expect(places({ text: 'e2' })).toEqual(['E2 g 7.0004'])
    expect(places({ text: 'nowhere' })).toEqual([])
  })

  it('as many as are asked for', () => {
    expect(places({ limit: 2 })).toEqual(['E1 g 20', 'E1 a 100'])
    expect(places()).toHaveLength(4)
  })

  it.each([{}, { clip: 'g' }, { text: 'gurg' }, { text: 'the' }, { text: 'gala' }, { episode: 'E1' }])(
    'page by page, of how many: %o',
    (scope) => {
      const whole = places(scope)
      const pages = [0, 1, 2, 3, 4].map((offset) => findings(all.views, { ...scope, offset, limit: 1 }))
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => whole.length))
      expect(
        pages.flatMap((page) =>
          page.findings.map((one) => `${one.episode} ${one.clip} ${one.offset / second}`),
        ),
      ).toEqual(whole)
    },
  )

  it('a link takes the place of a fragment, to the millisecond', () => {
    expect(linkTo('https://m.example/a.mp3#t=5', 7_000_400_000)).toBe('https://m.example/a.mp3#t=7')
    expect(linkTo('file:///a%23b.wav', 1_754_200_500_000)).toBe('file:///a%23b.wav#t=1754.201')
    expect(linkTo('s3://media/a #1.wav', 7_000_000_000)).toBe('s3://media/a #1.wav#t=7')
    expect(linkTo('https://m.example/a?x=1', 0)).toBe('https://m.example/a?x=1#t=0')
  })

  it('F27: of what was never curated nothing is told, of what was withdrawn all', () => {
    all.log.result('E9', 'g', { found: [1] })
    all.log.result('E1', 'z', { found: [1] })
    expect(places()).toHaveLength(4)
    all.log.onEpisode('E1', 'Withdrawn', { curator: 'feed' })
    all.log.clip('z')
    all.log.episode('E9')
    expect(places()).toHaveLength(6)
  })

  it('X9: of a pair that is to be researched again, what was found until it is not', () => {
    all.log.reopen('E2')
    expect(places({ clip: 'g', episode: 'E2' })).toHaveLength(1)
    all.log.result('E2', 'g')
    expect(places({ clip: 'g', episode: 'E2' })).toEqual([])
  })
})

describe('one pair whole', () => {
  const answer = async (until?: bigint) => {
    const eventStore = fakeEventStore()
    for (const { stream, id, type, data, metadata } of all.log.events)
      await eventStore.append(stream, 'any', [{ id, type, data, metadata }])()
    return pair(eventStore, 'E1', 'g', until === undefined ? until : { position: until })
  }
  const other = { ...engine, version: '2' }

  it('X10: negatives too, with engine and settings; one result counts', async () => {
    all.log.result('E1', 'g', { repeat: true, researcher: 'listener-2', lease: 'L', bestScore: 0.3 })
    expect(await answer()).toMatchObject({
      episode: 'E1',
      clip: 'g',
      researched: true,
      results: [
        { engine, counts: true, researcher: 'listener-1', matches: [{}, {}] },
        { engine, counts: false, researcher: 'listener-2', lease: 'L', bestScore: 0.3, matches: [] },
      ],
    })
  })

  it('X9: to be researched again where that concerns it, then done anew', async () => {
    const standing = async () => {
      const { researched, results } = await answer()
      return [researched, results.map(({ counts }) => counts)]
    }
    all.log.reopen('E1', { clips: ['a'] })
    all.log.reopen('E1', { engines: ['correlator 2'] })
    expect(await standing()).toEqual([true, [true]])
    all.log.reopen('E1', { engines: ['correlator 1'], clips: ['g'] })
    expect(await standing()).toEqual([false, [false]])
    all.log.result('E1', 'g', { engine: other })
    expect(await standing()).toEqual([true, [false, true]])
  })

  it('as of a position of the log; of an episode that nobody knows', async () => {
    expect((await answer(3n)).results).toEqual([])
    expect((await answer(4n)).results).toHaveLength(1)
    expect(await pair(fakeEventStore(), 'nowhere', 'g')).toEqual({
      episode: 'nowhere',
      clip: 'g',
      researched: false,
      results: [],
    })
  })

  it('of an episode that begins or ends within a clip: what of it there is, with its duration', () => {
    all.log.result('E1', 'a', {
      matches: [{ offset: 0, score: 0.97, part: { from: second, to: 3 * second } }],
    })
    expect(findings(all.views, { clip: 'a' }).findings).toMatchObject([
      { offset: 0, duration: 2 * second, partFrom: second, partTo: 3 * second },
    ])
  })

  it('of an episode that plays a clip at another speed: how fast, and for how long', () => {
    all.log.result('E1', 'a', {
      matches: [{ offset: 5 * second, score: 0.99, speed: 0.8, part: { from: 0, to: 2 * second } }],
    })
    const [found] = findings(all.views, { clip: 'a' }).findings
    expect(found).toMatchObject({ speed: 0.8, duration: 2.5 * second, partFrom: 0, partTo: 2 * second })
    expect(occurrenceNote(found!)).toBe('only 0:00 to 0:02 of it; 20 % slower')
    expect(occurrenceNote({ speed: 1.000_2 })).toBe('0.02 % faster')
  })

  it('two clips that claim one place are told as such, the better first', () => {
    all.log.clip('x')
    all.log.result('E1', 'x', { matches: [{ offset: 19 * second, score: 0.8 }] })
    const told = (scope: object) =>
      findings(all.views, { episode: 'E1', ...scope }).findings.map(({ clip, offset, rank, rival }) => [
        clip,
        offset / second,
        rank,
        rival,
      ])
    expect(told({})).toEqual([
      ['g', 20, 1, 'x'],
      ['x', 19, 2, 'g'],
      ['a', 100, undefined, undefined],
      ['g', 1754.2, undefined, undefined],
    ])
    expect(told({ clip: 'x' })).toEqual([['x', 19, 2, 'g']])
  })

  it('neither a word within a sentence nor what merely touches it is a rival', () => {
    all.log.clip('word')
    all.log.clip('next')
    all.log.result('E1', 'word', { matches: [{ offset: 21 * second, score: 0.8 }], clipDuration: second })
    all.log.result('E1', 'next', { matches: [{ offset: 22 * second, score: 0.8 }] })
    expect(findings(all.views, { episode: 'E1' }).findings.filter(({ rank }) => rank !== undefined)).toEqual(
      [],
    )
  })
})

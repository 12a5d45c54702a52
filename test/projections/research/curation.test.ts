import { beforeEach, describe, expect, it } from 'vitest'
import { anomalies } from '#src/projections/research/questions/anomalies.ts'
import { type Folded, folded } from './folding.ts'
import { second, t } from './log.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const episode = (id: string) => all.row('research-episodes', { episode: id })
const odd = () =>
  anomalies(all.views)
    .map(({ kind, episode, clip, times }) => [kind, episode || clip, times])
    .sort()

describe('curation', () => {
  it('L16: the first date stays; amended, it is as last described', () => {
    all.log.episode('E', { title: 'One', priority: 3 })
    all.log.onEpisode('E', 'Recurated', { curatedAt: t(50) })
    expect(episode('E')).toMatchObject({ title: 'One', firstCuratedAt: t(0), curatedAt: t(50), priority: 3 })
    all.log.amendEpisode('E', { title: 'Two', priority: 4 })
    expect(episode('E')).toMatchObject({ title: 'Two', firstCuratedAt: t(0), curatedAt: t(2), priority: 4 })
  })

  it("X15: a person's priority holds against the curator's until it is taken back", () => {
    all.log.episode('E', { priority: 3 })
    all.log.onEpisode('E', 'Prioritised', { priority: 3, reason: 'r' })
    all.log.amendEpisode('E', { priority: 9 })
    expect(episode('E')).toMatchObject({ priority: 3, curatorPriority: 9, personPriority: 3 })
    all.log.onEpisode('E', 'Prioritised', { priority: null, reason: 'r' })
    expect(episode('E')).toMatchObject({ priority: 9, personPriority: null })
  })

  it('X7: pinned, excluded, withdrawn, and back', () => {
    all.log.clip('c')
    const clip = () => all.row('research-clips', { clip: 'c' })
    const state = () => all.row('research-clip-results', { clip: 'c' })?.state
    for (const type of ['Pinned', 'Excluded'] as const) all.log.onClip('c', type, { reason: 'r' })
    all.log.onClip('c', 'Withdrawn', { curator: 'feed' })
    expect(clip()).toMatchObject({ pinned: 1, excluded: 1, withdrawnAt: t(3) })
    expect(state()).toBe('withdrawn')
    for (const type of ['Unpinned', 'Included'] as const) all.log.onClip('c', type, { reason: 'r' })
    all.log.amendClip('c')
    expect(clip()).toMatchObject({ pinned: 0, excluded: 0, withdrawnAt: null })
    expect(state()).toBe('live')
  })

  it('the policy: settings, pause, excluded curators', () => {
    all.log.policy('AssigningPaused', { reason: 'full disk' })
    all.log.policy('CuratorExcluded', { curator: 'z', reason: 'r' })
    all.log.policy('CuratorExcluded', { curator: 'a', reason: 'r' })
    all.log.policy('CuratorPinned', { curator: 'z', reason: 'r' })
    all.log.policy('CuratorPinned', { curator: 'b', reason: 'r' })
    expect(all.row('research-desk')).toMatchObject({
      pinnedCurators: ['b', 'z'],
      policyVersion: 0,
      policy: { maxClips: 100 },
      pausedAt: t(0),
      pausedReason: 'full disk',
      excludedCurators: ['a', 'z'],
    })
    all.log.policy('AssigningResumed', { reason: 'r' })
    all.log.policy('CuratorIncluded', { curator: 'z', reason: 'r' })
    all.log.policy('CuratorUnpinned', { curator: 'z', reason: 'r' })
    const { policy } = all.row('research-desk') as { policy: Record<string, number> }
    all.log.record('desk-research', 'PolicySet', {
      version: 1,
      policy: { ...policy, maxClips: 7 },
      reason: 'r',
    })
    expect(all.row('research-desk')).toMatchObject({
      policyVersion: 1,
      policy: { maxClips: 7 },
      pausedAt: null,
      pausedReason: null,
      excludedCurators: ['a'],
      pinnedCurators: ['b'],
    })
  })
})

describe('X17: the same media', () => {
  const uri = 'https://media.example/same.mp3'

  it('all but the first are told, until they part', () => {
    for (const id of ['A', 'B', 'C']) all.log.episode(id, { uri })
    all.log.clip('a', { uri })
    expect(odd()).toEqual([
      ['duplicate-media', 'B', 1],
      ['duplicate-media', 'C', 1],
    ])
    all.log.amendEpisode('B', { uri: 'https://media.example/other.mp3' })
    expect(odd()).toEqual([['duplicate-media', 'C', 1]])
    all.log.amendEpisode('B', { uri })
    all.log.onEpisode('A', 'Withdrawn', { curator: 'feed' })
    expect(odd()).toMatchObject([['duplicate-media', 'B', 1]])
    expect(anomalies(all.views)[0]?.says).toContain('the same media as C')
    all.log.onEpisode('B', 'Withdrawn', { curator: 'feed' })
    expect(odd()).toEqual([])
    all.log.amendEpisode('A', { uri })
    expect(odd()).toEqual([['duplicate-media', 'A', 1]])
    expect(all.rows('research-media', { subject: 'episode' })).toMatchObject([{ uri, ids: ['C', 'A'] }])
  })

  it('another file than the last time is told once each time it changes', () => {
    all.log.episode('E')
    all.log.clip('a')
    all.log.result('E', 'a', { episodeHash: 'x', clipHash: 'p' })
    all.log.result('E', 'a', { episodeHash: 'x', repeat: true })
    expect(odd().map(([kind]) => kind)).not.toContain('media-changed')
    all.log.result('E', 'a', { episodeHash: 'y', clipHash: 'q', repeat: true })
    all.log.result('E', 'a', { episodeHash: 'x', repeat: true, episodeDuration: 7 * second })
    expect(odd().filter(([kind]) => kind === 'media-changed')).toEqual([
      ['media-changed', 'E', 2],
      ['media-changed', 'a', 1],
    ])
    expect(all.row('research-episode-results')).toMatchObject({ hash: 'x', duration: 7 * second })
  })
})

describe('anomalies of results', () => {
  it('F27: unknown episode and clip, until they are curated', () => {
    all.log.result('E', 'a')
    all.log.result('E', 'a', { repeat: true })
    const unknown = () => odd().filter(([kind]) => (kind as string).startsWith('unknown'))
    expect(unknown()).toEqual([
      ['unknown-clip', 'a', 2],
      ['unknown-episode', 'E', 2],
    ])
    all.log.episode('E')
    expect(unknown()).toEqual([['unknown-clip', 'a', 2]])
    all.log.clip('a')
    expect(unknown()).toEqual([])
  })

  it('F27: so are those that failures name; with the results of the same things they are one line', () => {
    const unknown = () => odd().map(([kind, id, times]) => `${kind} ${id} ${times}`)
    all.log.fail('E', 'episode', { attempt: 1, retryAt: t(300) })
    all.log.fail('E', 'pair', { clip: 'a', attempt: 1, retryAt: t(300) })
    all.log.fail('F', 'clip', { clip: 'a' })
    expect(unknown()).toEqual(['unknown-clip a 2', 'unknown-episode E 2', 'unknown-episode F 1'])
    expect(all.row('research-anomalies', { episode: 'F' })?.says).toBe(
      'listener-1 reported failures for the episode F, which no curator has brought: they are kept, and count once it is curated; send it on fonds.research.episodes, or mend the id that is reported.',
    )
    expect(all.rows('research-clip-results')).toEqual([])
    all.log.episode('E')
    all.log.clip('a')
    expect(unknown()).toEqual(['unknown-episode F 1'])
    all.log.result('F', 'a', { lease: 'L' })
    expect(unknown()).toEqual(['unknown-episode F 2'])
    all.log.episode('F')
    all.log.onEpisode('F', 'Withdrawn', { curator: 'feed' })
    all.log.fail('F', 'episode', { attempt: 1 })
    expect(unknown()).toEqual([])
  })

  it.each([
    ['no-lease', { effect: { kind: 'none', because: 'no-lease' } }],
    ['unknown-lease', { lease: 'L', effect: { kind: 'none', because: 'unknown' } }],
    ['late', { lease: 'L', effect: { kind: 'none', because: 'expired' } }],
    ['late', { lease: 'L', effect: { kind: 'none', because: 'ended' } }],
    ['outside-lease', { lease: 'L', outsideLease: true }],
    ['not-the-holder', { lease: 'L', notTheHolder: true }],
    ['repeat', { lease: 'L', repeat: true }],
  ] as const)('%s: one row however often, with a sentence', (kind, more) => {
    all.log.episode('E')
    for (const clip of ['a', 'b', 'c']) all.log.clip(clip)
    all.log.result('E', 'c', { lease: 'M' })
    for (const clip of ['a', 'b']) all.log.result('E', clip, more)
    expect(anomalies(all.views)).toMatchObject([
      {
        kind,
        episode: 'E',
        researcher: 'listener-1',
        times: 2,
        since: t(5),
        at: t(6),
        says: expect.stringMatching(/^listener-1 reported b in E.*\.$/),
      },
    ])
    expect(anomalies(all.views, { kind })).toHaveLength(1)
    expect(anomalies(all.views, { kind: 'media-changed' })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import {
  by,
  curate,
  curated,
  expired,
  extended,
  extendedTo,
  fail,
  failed,
  given,
  grant,
  granted,
  lapsed,
  none,
  notePassed,
  reason,
  release,
  released,
  report,
  researched,
  revoke,
  revoked,
  revokedEffect,
  t,
  taken,
} from './episodes.ts'

/* F22: an episode that ends whoever reads it, without a word. Leases last an hour. */

/** A lease from a minute on, which somebody takes. */
const takenAt = (minutes: number, lease: string, clip = 'a'): readonly EpisodeEvent[] => [
  granted(minutes, lease, [clip]),
  taken(minutes + 1, lease),
]
/** Two that were not heard of again. */
const twoSilent = [
  curated,
  ...takenAt(0, 'l1'),
  expired(60, 'l1', 60, 1),
  ...takenAt(60, 'l2'),
  expired(120, 'l2', 120, 2),
]
const retried: EpisodeEvent = { type: 'Retried', data: { reason, at: t(130) } }

describe('leases in a row that ran out without a word', () => {
  it('are counted', () => {
    given(curated, ...takenAt(0, 'l1'))
      .when(notePassed(60, 'NoteExpired', 'l1'))
      .gives([expired(60, 'l1', 60, 1)])
    given(...twoSilent, ...takenAt(120, 'l3'))
      .when(notePassed(180, 'NoteExpired', 'l3'))
      .gives([expired(180, 'l3', 180, 3)])
  })

  it('also where the next grant is what writes them off; those that stood side by side count once', () => {
    given(...twoSilent, ...takenAt(120, 'l3'), ...takenAt(120, 'l4', 'b'))
      .when(grant(180, { l5: ['a'] }))
      .gives([expired(180, 'l3', 180, 3), expired(180, 'l4', 180), granted(180, 'l5', ['a'], { fence: 2 })])
  })

  it('however many a machine had when it went down, and whenever each of them ran out', () => {
    const atOnce = ['l1', 'l2', 'l3', 'l4', 'l5'].flatMap((lease, i) => takenAt(i, lease, `clip ${i}`))
    const firstGone = [expired(60, 'l1', 60, 1), expired(61, 'l2', 61), expired(62, 'l3', 62)]
    given(curated, ...atOnce, ...firstGone)
      .when(notePassed(63, 'NoteExpired', 'l4'))
      .gives([expired(63, 'l4', 63)])
    given(curated, ...atOnce, ...firstGone, ...takenAt(61, 'l6'))
      .when(notePassed(121, 'NoteExpired', 'l6'))
      .gives([expired(121, 'l6', 121, 2)])
  })

  it('a lease that nobody took is none of them, and ends no row', () => {
    const untaken = [granted(120, 'l3', ['a']), lapsed(150, 'l3')]
    given(...twoSilent, ...untaken)
      .when(notePassed(180, 'NoteExpired', 'l3'))
      .gives([expired(180, 'l3', 180)])
    given(...twoSilent, ...untaken, expired(180, 'l3', 180), ...takenAt(180, 'l4'))
      .when(notePassed(240, 'NoteExpired', 'l4'))
      .gives([expired(240, 'l4', 240, 3)])
  })

  it.each([
    ['a result', researched(130, 'a', extendedTo(190), { lease: 'l3' })],
    ['a failure', failed(130, 'clip', extendedTo(190), { lease: 'l3' })],
    ['an extension', extended(130, 'l3', 190)],
  ])('nor is one of which %s was heard', (_, word) => {
    given(...twoSilent, ...takenAt(120, 'l3'), word)
      .when(notePassed(190, 'NoteExpired', 'l3'))
      .gives([expired(190, 'l3', 190)])
  })

  it('nor one of which a word comes late', () => {
    const late = [...twoSilent, ...takenAt(120, 'l3')]
    given(...late)
      .when(report(180, 'a', 'l3'))
      .gives([expired(180, 'l3', 180), researched(180, 'a', none('expired'), { lease: 'l3' })])
    given(...late)
      .when(release(180, 'l3'))
      .gives([expired(180, 'l3', 180)])
    // A person's is none of its researcher.
    given(...late)
      .when(revoke(180, 'l3'))
      .gives([expired(180, 'l3', 180, 3)])
  })

  it.each<[string, readonly EpisodeEvent[]]>([
    ['a result', [researched(130, 'b', none('no-lease'))]],
    ['a late one of the lease itself', [researched(130, 'a', none('expired'), { lease: 'l2' })]],
    ['a failure of the episode', [failed(130, 'episode', none('no-lease'), { attempt: 1, retryAt: t(135) })]],
    ['a failure of a clip', [failed(130, 'clip', none('no-lease'))]],
    ['a final result', [...takenAt(125, 'l3'), researched(130, 'a', revokedEffect, { lease: 'l3' })]],
    ['a release', [...takenAt(125, 'l3'), released(130, 'l3')]],
    ['a person who has it tried again', [retried]],
  ])('%s ends the row', (_, events) => {
    given(...twoSilent, ...events, ...takenAt(140, 'l4'))
      .when(notePassed(200, 'NoteExpired', 'l4'))
      .gives([expired(200, 'l4', 200, 1)])
  })

  it.each<[string, readonly EpisodeEvent[]]>([
    ['a lease that a person revoked', [...takenAt(125, 'l3'), revoked(130, 'l3')]],
    ['one that ran out after it had been extended', [...takenAt(120, 'l3'), expired(190, 'l3', 190)]],
  ])('%s does not', (_, events) => {
    given(...twoSilent, ...events, ...takenAt(200, 'l4'))
      .when(notePassed(260, 'NoteExpired', 'l4'))
      .gives([expired(260, 'l4', 260, 3)])
  })

  it('those that were written before there was such a row count nothing', () => {
    given(curated, ...takenAt(0, 'l1'), expired(60, 'l1', 60), ...takenAt(60, 'l2'))
      .when(notePassed(120, 'NoteExpired', 'l2'))
      .gives([expired(120, 'l2', 120, 1)])
  })
})

describe('once they are as many as the settings have attempts', () => {
  const third = [...twoSilent, ...takenAt(120, 'l3')]

  it('the grant that finds it out hands out nothing', () => {
    given(...third)
      .when(grant(180, { l4: ['a'] }, { attempts: 3 }))
      .gives([expired(180, 'l3', 180, 3)])
  })

  it('L29, L41: below, the pairs are free at the deadline', () => {
    const { events } = given(...third).when(grant(180, { l4: ['a'] }, { attempts: 4 }))
    expect(events.map(({ type }) => type)).toEqual(['LeaseExpired', 'LeaseGranted'])
  })

  it('that is on record, and a grant is a grant: settings may have changed since', () => {
    given(...third, expired(180, 'l3', 180, 3))
      .when(grant(180, { l4: ['a'] }, { attempts: 3 }))
      .gives([granted(180, 'l4', ['a'], { fence: 2 })])
  })
})

describe('trying again', () => {
  it('X8: a person ends the row, once', () => {
    const retry = { type: 'Retry', ...by(130), reason } as const
    given(...twoSilent)
      .when(retry)
      .gives([retried])
    given(...twoSilent, retried)
      .when(retry)
      .gives([])
    given(...twoSilent, researched(125, 'b', none('no-lease')))
      .when(retry)
      .gives([])
  })

  it('X9: so does another address of its media', () => {
    const { events } = given(...twoSilent).when(curate(130, { mediaUri: 'https://media.example/again.mp3' }))
    expect(events.map(({ type }) => type)).toEqual(['Amended', 'Retried'])
  })

  it('a failure after silence counts from one: silence is no failure', () => {
    given(...twoSilent)
      .when(fail(130, 'episode'))
      .gives([failed(130, 'episode', none('no-lease'), { attempt: 1, retryAt: t(135) })])
  })
})

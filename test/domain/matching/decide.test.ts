import * as fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { workDecider } from '#src/domain/matching/decide.ts'
import type { Facts } from '#src/domain/matching/events.ts'
import { at, by, corrected, correctedBy, given, handedOver, observe, observed } from './works.ts'

describe('what a source says of a record', () => {
  it('is kept as it was said', () => {
    const said = { title: 'Hevajratantra', fields: { subjects: ['Sanskrit'] } }
    given()
      .when(observe(7, said))
      .gives([observed(7, said)])
  })

  it('a higher version takes the place of the lower one, also when nothing else differs', () => {
    given(observed(1))
      .when(observe(2))
      .gives([observed(2)])
  })

  it('versions may begin at 0', () => {
    given()
      .when(observe(0))
      .gives([observed(0)])
    given(observed(0)).when(observe(0)).gives([])
  })

  it('M8, Stale source version after a newer one: refused, with what was offered and what is held', () => {
    const { result } = given(observed(2)).when(observe(1, { title: 'older' }))
    expect(result).toEqual({
      _tag: 'Left',
      left: {
        code: 'older-version',
        message:
          'version 1 of a came after version 2, which stays; send it with a higher version if it is the newer one',
        details: { work: 'a', offered: 1, held: 2 },
      },
    })
  })

  it('Stale source version after a newer one: refused after a correction as well', () => {
    given(observed(2), corrected(2, { title: 'better' }))
      .when(observe(1))
      .gives('older-version')
  })

  it('Duplicate: the same again is no event', () => {
    const said = { title: 'Hevajratantra', fields: { a: 1, b: { c: 2, d: 3 } } }
    given(observed(1, said)).when(observe(1, said)).gives([])
  })

  it('Duplicate: neither the order of names nor the time of the message makes a difference', () => {
    const before = observed(1, { fields: { a: 1, b: { c: [1, 2], d: 3 } } })
    given(before)
      .when(observe(1, { fields: { b: { d: 3, c: [1, 2] }, a: 1 }, at: '2026-02-01T00:00:00.000Z' }))
      .gives([])
  })

  it.each<[string, Partial<Omit<Facts, 'links'>>]>([
    ['state', { state: 'deleted' }],
    ['title', { title: 'another' }],
    ['an empty title', { title: '' }],
    ['fields', { fields: { a: [2, 1] } }],
    ['the time of the change', { sourceModifiedAt: '2026-01-30T12:00:00.000Z' }],
  ])('Same version, other content (%s): accepted, and the last word counts', (_, other) => {
    const first = { fields: { a: [1, 2] } }
    const second = { ...first, ...other }
    given(observed(1, first))
      .when(observe(1, second))
      .gives([corrected(1, second)])
    given(observed(1, first), corrected(1, second)).when(observe(1, second)).gives([])
    given(observed(1, first), corrected(1, second))
      .when(observe(1, first))
      .gives([corrected(1, first)])
  })

  it('Same version, other content (links): accepted, and the last word counts', () => {
    given(observed(1))
      .when(observe(1, { links: [{ to: 'b', reason: 'same as' }] }))
      .gives([corrected(1, { links: [{ to: 'b', reasons: ['same as'] }] })])
  })

  it('M5: a time far in the future, or one that goes back, changes nothing about the order', () => {
    const future = '2999-12-31T00:00:00.000Z'
    const past = '1970-01-01T00:00:00.000Z'
    given(observed(1, { sourceModifiedAt: future }))
      .when(observe(2, { sourceModifiedAt: past }))
      .gives([observed(2, { sourceModifiedAt: past })])
    given(observed(2, { sourceModifiedAt: past }))
      .when(observe(1, { sourceModifiedAt: future }))
      .gives('older-version')
  })
})

describe('links', () => {
  const linksOf = (...links: readonly (readonly [string, string])[]) => {
    const [event] = given().when(observe(1, { links: links.map(([to, reason]) => ({ to, reason })) })).events
    return event?.type === 'WorkObserved' ? event.data.links : undefined
  }

  it('Self-link: dropped', () => {
    expect(linksOf(['a', 'same as'])).toEqual([])
    expect(linksOf(['a', 'same as'], ['b', 'part of'])).toEqual([{ to: 'b', reasons: ['part of'] }])
  })

  it('repeated link: one, with every reason once, in order', () => {
    expect(linksOf(['b', 'part of'], ['b', 'digitised as'], ['b', 'part of'])).toEqual([
      { to: 'b', reasons: ['digitised as', 'part of'] },
    ])
  })

  it('empty links: fine', () => {
    expect(linksOf()).toEqual([])
  })

  it('stand by target in the order of code units, names of built-in properties included', () => {
    const targets = ['é', 'b', '__proto__', 'Z', 'constructor']
    expect(linksOf(...targets.map((to) => [to, 'x'] as const))?.map(({ to }) => to)).toEqual([
      'Z',
      '__proto__',
      'b',
      'constructor',
      'é',
    ])
  })

  it('Duplicate: the order of statements makes no difference', () => {
    const stated = [
      { to: 'b', reason: 'x' },
      { to: 'c', reason: 'y' },
      { to: 'b', reason: 'z' },
    ]
    const before = given().when(observe(1, { links: stated })).events
    given(...before)
      .when(observe(1, { links: stated.toReversed() }))
      .gives([])
  })
})

describe('who speaks for a work', () => {
  const folio = { source: 'folio' }

  it('same id from two sources: the second is refused, told who holds it and what to do', () => {
    const { result } = given(observed(1)).when(observe(9, folio))
    expect(result).toMatchObject({
      left: { code: 'other-source', details: { work: 'a', source: 'folio', heldBy: 'sierra' } },
    })
    expect(JSON.stringify(result)).toMatch(/sierra speaks for a,.*folio is not taken.*matching\.hand-over/)
  })

  it('handing over lets the other source speak', () => {
    given(observed(5))
      .when({ type: 'HandOver', ...by, to: 'folio', reason: 'migration' })
      .gives([handedOver])
  })

  it('then versions count from the start, whatever the first one is and says', () => {
    given(observed(5), handedOver)
      .when(observe(1, folio))
      .gives([observed(1, folio)])
    given(observed(5), handedOver)
      .when(observe(0, { ...folio, title: 'new' }))
      .gives([observed(0, { ...folio, title: 'new' })])
    given(observed(5), handedOver, observed(1, folio)).when(observe(0, folio)).gives('older-version')
  })

  it('and the one before is not heard any more', () => {
    given(observed(5), handedOver).when(observe(6)).gives('other-source')
  })

  it('a work can be handed back', () => {
    given(observed(5), handedOver)
      .when({ type: 'HandOver', ...by, to: 'sierra', reason: 'mistake' })
      .gives([{ type: 'WorkHandedOver', data: { from: 'folio', to: 'sierra', reason: 'mistake', at } }])
  })

  it('to the same source, or of a work never seen: refused', () => {
    given(observed(5))
      .when({ type: 'HandOver', ...by, to: 'sierra', reason: 'x' })
      .gives('same-source')
    given()
      .when({ type: 'HandOver', ...by, to: 'folio', reason: 'x' })
      .gives('unknown-work')
  })
})

describe('dropping a link that is wrong', () => {
  const links = [
    { to: 'b', reason: 'same as' },
    { to: 'c', reason: 'part of' },
  ]
  const [toB, toC] = [
    { to: 'b', reasons: ['same as'] },
    { to: 'c', reasons: ['part of'] },
  ]
  const said = { title: 'Hevajratantra', fields: { shelf: 1 }, links: [toB, toC] }
  const drop = (to: string) => ({ type: 'DropLink', ...by, to, reason: 'another text' }) as const
  const withoutB = correctedBy({ ...said, links: [toC] }, { reason: 'another text', dropped: ['b'] })

  it('leaves it out of what its source said; all else stays', () => {
    given(observed(3, said)).when(drop('b')).gives([withoutB])
  })

  it('holds when the source sends the same version again', () => {
    given(observed(3, said), withoutB)
      .when(observe(3, { ...said, links }))
      .gives([])
  })

  it('holds when the source corrects another thing in that version, and after another link is dropped', () => {
    const corrected = correctedBy({ ...said, title: 'better', links: [toC] }, { dropped: ['b'] })
    given(observed(3, said), withoutB)
      .when(observe(3, { ...said, title: 'better', links }))
      .gives([corrected])
    given(observed(3, said), withoutB, corrected)
      .when(drop('c'))
      .gives([
        correctedBy({ ...said, title: 'better', links: [] }, { reason: 'another text', dropped: ['b', 'c'] }),
      ])
  })

  it('holds no longer when the source sends a higher version', () => {
    given(observed(3, said), withoutB)
      .when(observe(4, { ...said, links }))
      .gives([observed(4, said)])
  })

  it('is put back by a person, as it was stated; others that were dropped stay so', () => {
    const restore = (to: string) => ({ type: 'RestoreLink', ...by, to, reason: 'the same text' }) as const
    const restored = correctedBy(said, { reason: 'the same text', restored: ['b'] })
    given(observed(3, said), withoutB).when(restore('b')).gives([restored])
    const withoutBoth = correctedBy({ ...said, links: [] }, { reason: 'another text', dropped: ['b', 'c'] })
    const withoutC = correctedBy(
      { ...said, links: [toB] },
      { reason: 'the same text', restored: ['b'], dropped: ['c'] },
    )
    given(observed(3, said), withoutB, withoutBoth).when(restore('b')).gives([withoutC])
    given(observed(3, said), withoutB, withoutBoth, withoutC)
      .when(restore('c'))
      .gives([correctedBy(said, { reason: 'the same text', restored: ['c'] })])
    given(observed(3, said), withoutB, restored)
      .when(observe(3, { ...said, links }))
      .gives([])
    given(observed(3, said), withoutB, restored).when(restore('b')).gives('not-dropped')
    given(observed(3, said), withoutB, observed(4, said)).when(restore('b')).gives('not-dropped')
    given(observed(3, said), withoutB, handedOver).when(restore('b')).gives('not-dropped')
    given().when(restore('b')).gives('unknown-work')
  })

  it('a link that is not stated, a work never seen, one whose new source has not spoken: refused', () => {
    given(observed(3, said)).when(drop('d')).gives('not-stated')
    given(observed(3, said), withoutB).when(drop('b')).gives('not-stated')
    given().when(drop('b')).gives('unknown-work')
    given(observed(3, said), handedOver).when(drop('b')).gives('unheard-source')
  })
})

describe('sending again (M18)', () => {
  const resend = { type: 'Resend', ...by, reason: 'shown wrongly' } as const
  const requested = { type: 'ResendRequested', data: { reason: 'shown wrongly', at } } as const

  it('is asked for as often as it is wanted, and changes nothing else', () => {
    given(observed(1)).when(resend).gives([requested])
    given(observed(1), requested).when(resend).gives([requested])
    given(observed(1), requested).when(observe(1)).gives([])
    given(observed(1), handedOver, requested)
      .when(observe(0, { source: 'folio' }))
      .gives([observed(0, { source: 'folio' })])
  })

  it('a work that nobody spoke of is refused', () => {
    given().when(resend).gives('unknown-work')
  })
})

/** Versions 0 to 4 of one record, said once or more, each always with the same words. */
const deliveries = fc.array(fc.nat(4), { minLength: 1, maxLength: 30 })

it('M10: in any order of delivery, with any repetition, the highest version is what stays', () => {
  fc.assert(
    fc.property(deliveries, (versions) => {
      const say = (version: number) => observe(version, { title: `title ${version}` })
      const end = versions.reduce((state, version) => {
        const decided = workDecider.decide(say(version), state)
        return isLeft(decided) ? state : decided.right.reduce(workDecider.evolve, state)
      }, workDecider.initial)
      const alone = given().when(say(Math.max(...versions)))
      expect(end).toEqual(alone.state)
    }),
  )
})

it('every refusal is of an older version, and nothing that is newer is refused', () => {
  fc.assert(
    fc.property(deliveries, (versions) => {
      let state = workDecider.initial
      let highest = -1
      for (const version of versions) {
        const decided = workDecider.decide(observe(version), state)
        expect(isRight(decided)).toBe(version >= highest)
        if (isRight(decided)) state = decided.right.reduce(workDecider.evolve, state)
        highest = Math.max(highest, version)
      }
    }),
  )
})

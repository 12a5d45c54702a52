import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { Ark, checkCharacter, isChecked, normaliseArk } from '#src/domain/ingest/ark.ts'
import { endOf, newJobs, noted, revisionOf } from '#src/domain/ingest/batch/jobs.ts'
import { localIdKey, localIdOf, scopeId, scopeOf } from '#src/domain/ingest/ids.ts'
import { topics } from '#src/domain/ingest/messages.ts'
import { maxPageLength, pages } from '#src/domain/ingest/payload.ts'
import { placesIn, rangesOf, runsOf, sizeOf, without } from '#src/domain/ingest/runs.ts'
import { anySpelling } from '#src/domain/ingest/spelling.ts'
import { BatchState } from '#src/domain/ingest/transitions.ts'
import { runs } from '../../runs.ts'

describe('ARKs', () => {
  it.each([
    ['ark:/99999/fk4abc', 'ark:/99999/fk4abc'],
    ['ark:99999/fk4abc', 'ark:/99999/fk4abc'],
    ['ARK:/B5060/fk4-ab-c/', 'ark:/b5060/fk4abc'],
    ['ark:/13030/m5br8st1/folder/a.tif', 'ark:/13030/m5br8st1/folder/a.tif'],
    ['doi:10.1/abc', undefined],
    ['ark:/99999/', undefined],
    ['ark:/99999/../x', undefined],
    ['ark:/99999/a//b', undefined],
    ['ark:/99999/a b', undefined],
  ])('%s', (text, ark) => {
    expect(normaliseArk(text)).toBe(ark)
    expect(isRight(Ark.decode(text))).toBe(ark !== undefined)
  })

  it('a check character finds one wrong character and two that changed places', () => {
    expect(checkCharacter('13030/xf93gt2')).toBe('q')
    expect(isChecked('ark:/13030/xf93gt2q')).toBe(true)
    expect(isChecked('ark:/13030/xf93gt3q')).toBe(false)
    expect(isChecked('ark:/13030/xf39gt2q')).toBe(false)
  })
})

describe('words in other spellings (C20)', () => {
  it.each([
    'update-reporting',
    'UpdateReporting',
    'Update Reporting',
    'update_reporting',
    ' UPDATE-REPORTING ',
  ])('%s', (text) => {
    expect(anySpelling(BatchState).decode(text)).toMatchObject({ right: 'update-reporting' })
  })
  it('others are none', () => {
    expect(isRight(anySpelling(BatchState).decode('gone'))).toBe(false)
  })
})

describe('names of streams lead back', () => {
  it('of holds and of local ids', () => {
    expect(scopeOf(scopeId('all'))).toBe('all')
    expect(scopeOf(scopeId({ collection: 'all:x' }))).toEqual({ collection: 'all:x' })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (owner, localId) => {
        fc.pre(owner.isWellFormed())
        expect(localIdOf(localIdKey(owner, localId))).toEqual({ owner, localId })
      }),
    )
  })
})

describe('which jobs', () => {
  const places = fc.uniqueArray(fc.nat(200)).map((all) => all.toSorted((a, b) => a - b))

  it('runs say the same as the places', () => {
    fc.assert(
      fc.property(places, places, (some, others) => {
        const runs = runsOf(some)
        expect([...placesIn(runs)]).toEqual(some)
        expect(sizeOf(runs)).toBe(some.length)
        expect([...placesIn(without(runs, runsOf(others)))]).toEqual(some.filter((n) => !others.includes(n)))
      }),
    )
    expect(rangesOf(runsOf([0, 1, 4]), 12)).toEqual([
      [12, 13],
      [16, 16],
    ])
  })

  it('what each job came to, by its latest revision, in whatever order it is told', () => {
    const word = fc.record({
      index: fc.nat(5),
      end: fc.constantFrom('open' as const, 'completed' as const, 'failed' as const, 'deleted' as const),
      revision: fc.nat(30),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { selector: ({ index, revision }) => `${index}/${revision}` }),
        (words) => {
          let jobs = newJobs(6)
          for (const { index, end, revision } of words) jobs = noted(jobs, { [end]: [[index, revision]] })
          for (let index = 0; index < 6; index++) {
            const [last] = words.filter((w) => w.index === index).toSorted((a, b) => b.revision - a.revision)
            expect([endOf(jobs, index), revisionOf(jobs, index)]).toEqual([
              last?.end ?? 'open',
              last?.revision ?? -1,
            ])
          }
          expect(Object.values(jobs.counts).reduce((a, b) => a + b)).toBe(6)
        },
      ),
    )
  })
})

describe('pages', () => {
  it('hold all in order, and none is too large', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(150_000), { maxLength: 12 }), (lengths) => {
        const items = lengths.map((length) => 'x'.repeat(length))
        const cut = [...pages(items, 4)]
        expect(cut.flat()).toEqual(items)
        for (const page of cut) {
          expect(page.length).toBeLessThanOrEqual(4)
          expect(JSON.stringify(page).length).toBeLessThanOrEqual(maxPageLength)
        }
      }),
      { numRuns: runs(20) },
    )
  })
})

describe('messages', () => {
  it.each(topics.flatMap((topic) => topic.messages.map((spec) => [topic.name, spec] as const)))(
    'the example on %s is valid: $type',
    (_, spec) => {
      expect(spec.codec.is(spec.example)).toBe(true)
    },
  )
})

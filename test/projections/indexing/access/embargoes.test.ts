import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEmbargoes } from '#src/projections/indexing/access/embargoes.ts'
import { runs } from '../../../runs.ts'

const on = (day: number, hour = 12) => `2026-01-${day}T${String(hour).padStart(2, '0')}:00:00.000Z`
const word = (position: number, day: number, until?: string, isFirst = false) => ({
  position: BigInt(position),
  at: on(day),
  until,
  isFirst,
})
const moment = (position: number, day: number) => ({ position: BigInt(position), at: on(day) })

describe('indexing C19 embargoes of files', () => {
  it('hold until their last day is over, and cost nothing then', () => {
    const embargoes = createEmbargoes()
    expect(embargoes.at(on(10))).toBe(undefined)
    embargoes.add('main/a.warc', word(1, 10, '2026-01-20'))
    expect(embargoes.at('2026-01-20T23:59:59.999Z')?.('a.warc')).toBe(true)
    expect(embargoes.at('2026-01-20T23:59:59.999Z')?.('b.warc')).toBe(false)
    expect(embargoes.at('2026-01-21T00:00:00.000Z')).toBe(undefined)
    embargoes.add('main/a.warc', word(2, 10))
    expect(embargoes.at(on(10))).toBe(undefined)
  })

  it('hold for all files of a name, as lines have it', () => {
    const embargoes = createEmbargoes()
    embargoes.add('main/100% a.warc', word(1, 10, '2026-01-20'))
    embargoes.add('nas/100% a.warc', word(2, 10, '2026-01-25'))
    expect(embargoes.at(on(22))?.('100%25%20a.warc')).toBe(true)
    embargoes.add('nas/100% a.warc', word(3, 10))
    expect(embargoes.at(on(15))?.('100%25%20a.warc')).toBe(true)
    expect(embargoes.at(on(22))).toBe(undefined)
  })

  it('begin and end between two moments; one that was the first word on its file hides nothing that was seen', () => {
    const embargoes = createEmbargoes()
    const since = moment(4, 10)
    embargoes.add('main/seen', word(5, 11, '2026-01-20'))
    embargoes.add('main/new', word(6, 11, '2026-01-20', true))
    const [began, ended] = [embargoes.began(since, moment(9, 12)), embargoes.ended(since, moment(9, 12))]
    expect([[...began], [...ended]]).toEqual([['seen'], []])
    expect([...embargoes.ended(moment(9, 12), moment(9, 21))]).toEqual(['seen', 'new'])
    expect([...embargoes.ended(moment(9, 12), moment(9, 20))]).toEqual([])
    // Moved while it held: nothing was seen in between.
    embargoes.add('main/seen', word(10, 13, '2026-01-30'))
    expect([...embargoes.began(moment(9, 12), moment(10, 13))]).toEqual([])
    // Over, and set again.
    embargoes.add('main/new', word(11, 22, '2026-01-30'))
    expect([...embargoes.began(moment(9, 12), moment(11, 22))]).toEqual(['new'])
    // Set and lifted again.
    embargoes.add('main/new', word(12, 23))
    expect([...embargoes.ended(moment(10, 21), moment(12, 23))]).toEqual(['new'])
  })

  it('are those of the last word on each file', () => {
    const step = fc.record({
      file: fc.constantFrom('m/a', 'm/b', 'n/a'),
      until: fc.constantFrom(undefined, '2026-01-12', '2026-01-14'),
    })
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 11, max: 16 }), (steps, day) => {
        const embargoes = createEmbargoes()
        const last = new Map<string, string | undefined>()
        for (const [i, { file, until }] of steps.entries()) {
          embargoes.add(file, word(i, 10, until))
          last.set(file, until)
        }
        const isHeld = (name: string) =>
          [...last].some(
            ([file, until]) =>
              file.endsWith(`/${name}`) && until !== undefined && on(day).slice(0, 10) <= until,
          )
        const heldBack = embargoes.at(on(day))
        expect(['a', 'b'].map((name) => heldBack?.(name) ?? false)).toEqual(['a', 'b'].map(isHeld))
        expect(heldBack === undefined).toBe(!isHeld('a') && !isHeld('b'))
      }),
      { numRuns: runs(200) },
    )
  })

  it('are looked up as fast where there are many', () => {
    const embargoes = createEmbargoes()
    const files = 20_000
    const start = performance.now()
    for (let i = 0; i < files; i++) {
      embargoes.add(`main/${i}.warc`, word(i, 10, i % 2 ? '2026-01-20' : '2031-12-31'))
      if (embargoes.at(on(10))?.(`${i}.warc`) !== true) expect.fail(`${i}.warc is not held back`)
    }
    for (let i = 0; i < files; i++) {
      embargoes.add(`main/${i}.warc`, word(files + i, 10))
      if (embargoes.at(on(10))?.(`${i}.warc`)) expect.fail(`${i}.warc is held back`)
    }
    expect(embargoes.at(on(10))).toBe(undefined)
    // A look at all files each time would be 800 million of them.
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

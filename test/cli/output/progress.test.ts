import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fallingCount } from '../../../src/cli/output/falling-count.ts'
import { startProgress } from '../../../src/cli/output/progress.ts'
import { runs } from '../../runs.ts'
import { rememberingStream } from './streams.ts'

const clock = () => {
  let millis = 0
  const pass = (seconds: number) => {
    millis += seconds * 1000
  }
  return { now: () => millis, pass }
}

describe('progress in a pipe', () => {
  it('says nothing of short work', () => {
    const stream = rememberingStream()
    const { now, pass } = clock()
    const progress = startProgress('hashing', { total: 10, stream, now })
    pass(9)
    progress.advance(10)
    progress.done()
    expect(stream.text()).toBe('')
  })

  it('says a line every ten seconds of long work, and how it ended', () => {
    const stream = rememberingStream()
    const { now, pass } = clock()
    const progress = startProgress('hashing', { total: 100_000, stream, now })
    for (let second = 0; second < 25; second++) {
      pass(1)
      progress.advance(1200)
    }
    progress.done()
    expect(stream.text().split('\n')).toEqual([
      'hashing: 12,000 of 100,000 (12%), 1,200/s, 1 min 13 s left',
      'hashing: 24,000 of 100,000 (24%), 1,200/s, 1 min 3 s left',
      'hashing: 30,000 in 25 s, 1,200/s',
      '',
    ])
  })

  it('counts what is done where only the part of the work is known', () => {
    const stream = rememberingStream()
    const { now, pass } = clock()
    const progress = startProgress('folding', { stream, now })
    pass(10)
    progress.part(0.25)
    progress.advance(2000)
    progress.done()
    expect(stream.text().split('\n')[0]).toBe('folding: 2,000 (25%), 200/s, 30 s left')
  })

  it('knows bytes, totals learnt on the way, and no total at all', () => {
    const stream = rememberingStream()
    const { now, pass } = clock()
    const progress = startProgress('read\u001b[2J', { unit: 'bytes', stream, now })
    pass(10)
    progress.advance(10 * 1024)
    progress.total(20 * 1024)
    pass(10)
    progress.advance(5 * 1024)
    expect(stream.text()).toBe(
      'read\\u{1b}[2J: 10 KiB, 1 KiB/s\nread\\u{1b}[2J: 15 KiB of 20 KiB (75%), 768 B/s, 7 s left\n',
    )
  })

  it('never goes back, and never over 100%, whatever grows meanwhile', () => {
    const step = fc.oneof(
      fc.record({ advance: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ total: fc.nat(200) }),
      fc.record({ part: fc.double({ min: 0, max: 3, noNaN: true }) }),
      fc.record({ left: fc.nat(200) }),
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const stream = rememberingStream()
        const { now, pass } = clock()
        const progress = startProgress('handling', { stream, now })
        const falling = fallingCount(progress)
        for (const step of steps) {
          pass(10)
          if ('total' in step) progress.total(step.total)
          else if ('part' in step) progress.part(step.part)
          else if ('left' in step) falling(step.left)
          progress.advance('advance' in step ? step.advance : 0)
        }
        const percents = [...stream.text().matchAll(/\((-?\d+)%\)/g)].map(([, percent]) => Number(percent))
        expect(percents).toEqual(percents.map((n) => Math.min(100, Math.max(0, n))).toSorted((a, b) => a - b))
        for (const [, value, total] of stream.text().matchAll(/(-?\d+) of (-?\d+) /g))
          expect(Number(total)).toBeGreaterThanOrEqual(Number(value))
      }),
      { numRuns: runs(200) },
    )
  })

  it('counts as done by how much is left, and what is added as more to do', () => {
    const stream = rememberingStream()
    const { now, pass } = clock()
    const progress = startProgress('handling', { stream, now })
    const left = fallingCount(progress)
    for (const waiting of [100, 40, 140, 0]) {
      pass(10)
      left(waiting)
    }
    // Of what grew no part is said, and no end: the bar alone stays where it is.
    expect(stream.text().match(/[\d,]+ of [\d,]+ (\(\d+%\)|so far)/g)).toEqual([
      '0 of 100 (0%)',
      '60 of 100 (60%)',
      '60 of 200 so far',
      '200 of 200 so far',
    ])
    expect(stream.text()).not.toMatch(/so far.* left/)
  })

  it('is silent when told to be, everywhere', () => {
    const stream = rememberingStream({ columns: 80 })
    const progress = startProgress('hashing', { total: 1, stream, quiet: true })
    progress.total(2)
    progress.advance(2)
    progress.done()
    expect(stream.text()).toBe('')
  })
})

describe('progress on a terminal', () => {
  const drawn = (columns: number, total?: number) => {
    const stream = Object.assign(rememberingStream({ columns }), {
      cursorTo: () => true,
      moveCursor: () => true,
      clearLine: () => true,
    })
    const { now, pass } = clock()
    const progress = startProgress('checking main', { ...(total !== undefined && { total }), stream, now })
    pass(10)
    progress.advance(50)
    progress.done()
    return stripVTControlCharacters(stream.text())
  }

  it('draws a bar, and how it ended', () => {
    const text = drawn(80, 100)
    expect(text).toContain('checking main ░░░')
    expect(text).toMatch(/checking main █{15}░{15} 50 in 10 s, 5\/s/)
  })

  it('draws no bar where there is no room or no total', () => {
    expect(drawn(30, 100)).not.toMatch(/[█░]/)
    expect(drawn(80)).toMatch(/checking main 50 in 10 s, 5\/s/)
    expect(drawn(80)).not.toMatch(/[█░]/)
  })
})

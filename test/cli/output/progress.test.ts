import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startProgress } from '../../../src/cli/output/progress.ts'
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

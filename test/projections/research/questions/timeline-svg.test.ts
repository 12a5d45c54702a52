import { describe, expect, it } from 'vitest'
import { clock } from '#src/projections/research/questions/clock.ts'
import { timelineSvg } from '#src/projections/research/questions/timeline-svg.ts'

const second = 1_000_000_000

const occurrence = (clip: string, at: number) => ({
  clip,
  clipTitle: `<${clip}>`,
  offset: at * second,
  duration: 3 * second,
  score: 0.5,
  link: `https://media.example/1.mp3#t=${at}`,
})

describe('the picture of a timeline (X3)', () => {
  it.each([
    [0, '0:00'],
    [1.5, '0:01.5'],
    [59.96, '1:00'],
    [754.25, '12:34.3'],
    [3_661, '1:01:01'],
    [36_000, '10:00:00'],
  ])('%d s is %s', (seconds, text) => {
    expect(clock(seconds * second)).toBe(text)
  })

  it('has a lane a clip, a box an occurrence, in its place', () => {
    const occurrences = [occurrence('a', 0), occurrence('b', 30), occurrence('a', 60)]
    const svg = timelineSvg({ title: 'Episode 1', duration: 120 * second, occurrences, gaps: [] })
    const boxes = [...svg.matchAll(/<a href="([^"]+)"><rect x="([\d.]+)" y="([\d.]+)"/g)]
    expect(boxes.map(([, link]) => link)).toEqual([
      'https://media.example/1.mp3#t=0',
      'https://media.example/1.mp3#t=60',
      'https://media.example/1.mp3#t=30',
    ])
    const [first, later, other] = boxes.map(([, , x, y]) => ({ x: Number(x), y: Number(y) }))
    expect(later!.y).toBe(first!.y)
    expect(other!.y).toBeGreaterThan(first!.y)
    expect(later!.x - first!.x).toBeCloseTo(2 * (other!.x - first!.x), 1)
  })

  it('holds titles as text, whatever is in them', () => {
    const occurrences = [occurrence('&"', 0)]
    const svg = timelineSvg({ title: '<script>', duration: second, occurrences, gaps: [] })
    expect(svg).not.toContain('<script>')
    expect(svg).not.toMatch(/<&/)
  })

  it('says that nothing was found, and never divides by an unknown length', () => {
    const svg = timelineSvg({ title: 'Episode 1', duration: 0, occurrences: [], gaps: [] })
    expect(svg).toContain('no clip was found in it')
    expect(svg).not.toMatch(/NaN|Infinity/)
  })

  it('shows what cannot be decoded, also behind the end of a file that was cut off', () => {
    const gaps = [
      { offset: 30 * second, duration: 3 * second },
      { offset: 60 * second, duration: 60 * second },
    ]
    const svg = timelineSvg({ title: 'Episode 1', duration: 60 * second, occurrences: [], gaps })
    expect(svg).toContain('<title>0:30.0 to 0:33.0 cannot be decoded</title>')
    expect(svg).toContain('<title>1:00.0 to 2:00.0 cannot be decoded</title>')
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="40" width="([\d.]+)"/g)]
    expect(boxes).toHaveLength(2)
    for (const [, x, width] of boxes) expect(Number(x) + Number(width)).toBeLessThanOrEqual(990)
  })

  it('is XML whatever its titles hold, and cuts none in the middle of a character', () => {
    const title = `\ufffe\uffff\u0000\ud800 ${'𝄞'.repeat(60)}`
    const svg = timelineSvg({
      gaps: [],
      title,
      duration: 60 * second,
      occurrences: [{ ...occurrence('a', 1), clipTitle: title.slice(5) }],
    })
    expect(svg).not.toMatch(/[\ufffe\uffff\0]/)
    expect(svg.isWellFormed()).toBe(true)
    expect(svg).toContain(`>${'𝄞'.repeat(27)}…<`)
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { inWords } from '../../src/cli/history-lines.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })

beforeEach(async () => {
  await fonds.run(['produce', contentTopic, '--wait'], {
    stdin: lines(recorded('letters/1.tif', 1), recorded('letters/2.tif', 2), recorded('letters/1.tif', 3)),
  })
  await fonds.run([
    ...['do', 'fixity.check', 'store=main', 'path=letters/1.tif', '--actor', 'ann', '--reason', 'torn page'],
  ])
})

describe('the history of a thing', () => {
  test('is every event of it, a line each', async () => {
    const { code, rows } = await fonds.run(['history', 'main/letters/1.tif'])
    expect(code).toBe(0)
    expect(rows.map(({ type }) => type)).toEqual(['ContentRecorded', 'ContentRecorded', 'CheckRequested'])
    expect(new Set(rows.map(({ stream }) => stream))).toEqual(new Set(['fixity-main/letters/1.tif']))
  })

  test('is a timeline on a terminal: when, what, by whom, where', async () => {
    const { out } = await fonds.run(['history', 'main/letters/1.tif'], {
      terminal: 100,
      env: { NO_COLOR: '1' },
    })
    const all = out.split('\n')
    expect(all[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Content recorded {2}by \S+, position \d+$/)
    expect(all[1]).toMatch(/^ {21}checksums md5 0{19}…, recorded from \S+, due at \S+, size 1$/)
    expect(out).toMatch(/Check requested {2}by ann, position \d+\n {21}torn page\n/)
  })

  test('as of a position or a time', async () => {
    const { rows } = await fonds.run(['history', 'main/letters/1.tif'])
    const asOf = (point: unknown) => fonds.run(['history', 'main/letters/1.tif', '--as-of', String(point)])
    expect((await asOf(rows[1]?.position)).rows).toEqual(rows.slice(0, 2))
    expect((await asOf(rows[2]?.recordedAt)).rows).toEqual(rows)
    const before = await asOf('2000-01-01T00:00:00Z')
    expect(before.code).toBe(1)
    expect(before.err).toContain('as of 2000-01-01')
    expect((await asOf('soon')).code).toBe(2)
  })

  test('of something unknown: what begins like it is suggested', async () => {
    const { code, err, out } = await fonds.run(['history', 'main/letters/3.tif'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('nothing is known of main/letters/3.tif')
    expect(err).toContain('did you mean main/letters/1.tif, or main/letters/2.tif?')
  })

  test('of something wholly unknown: where to look', async () => {
    const { code, err } = await fonds.run(['history', 'letters/1.tif'])
    expect(code).toBe(1)
    expect(err).toContain('`fonds find letters/1.tif`')
    const { rows } = await fonds.run(['find', 'letters/1.tif'])
    expect(rows).toMatchObject([{ id: 'main/letters/1.tif' }])
  })
})

test('event types as words', () => {
  expect(inWords('ContentRecorded')).toBe('Content recorded')
  expect(inWords('IndexEntryRemoved')).toBe('Index entry removed')
})

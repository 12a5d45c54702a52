import { describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const names = Array.from({ length: 12 }, (_, n) => `f${n}`)
const fill = (...paths: readonly string[]) =>
  fonds.run(['produce', contentTopic, '--partitions', '2'], {
    stdin: lines(...paths.map((path) => recorded(path))),
  })

describe('consume', () => {
  test('shows what is on a topic, as JSON lines, and leaves it as it is', async () => {
    await fill(...names)
    for (const _ of [1, 2]) {
      const { code, rows, err } = await fonds.run(['consume', contentTopic])
      expect([code, err]).toEqual([0, ''])
      expect(rows.map(({ value }) => (value as { path: string }).path).toSorted()).toEqual(names.toSorted())
      expect(rows[0]).toMatchObject({
        offset: '0',
        key: expect.any(String),
        headers: { ce_specversion: '1.0' },
      })
    }
    const topics = (await fonds.run(['topics'])).rows.find(({ topic }) => topic === contentTopic)
    expect(topics?.groups).toEqual([])
  })

  test('goes on from offsets, and gives no more than asked for', async () => {
    await fill(...names)
    const all = (await fonds.run(['consume', contentTopic])).rows
    const some = (await fonds.run(['consume', contentTopic, '--limit', '3'])).rows
    expect(some).toHaveLength(3)
    const behind = all.filter(({ partition, offset }) => partition === 1 && Number(offset) >= 2)
    const zero = all.filter(({ partition }) => partition === 0).length
    const { rows } = await fonds.run(['consume', contentTopic, '--from', `0:${zero},1:2`])
    expect(rows).toEqual(behind)
    expect((await fonds.run(['consume', contentTopic, '--from', 'end'])).rows).toEqual([])
  })

  test('with --follow: what comes is shown as it comes', async () => {
    await fill('a')
    const following = fonds.run(['consume', contentTopic, '--follow', '--limit', '3'])
    await fill('b', 'c')
    const { code, rows } = await following
    expect(code).toBe(0)
    expect(rows.map(({ value }) => (value as { path: string }).path).toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('on a terminal a line each', async () => {
    await fill('a')
    const { out } = await fonds.run(['consume', contentTopic], { terminal: 100 })
    expect(out).toMatch(/[01]:0.*content\.recorded.*"path":"a"/)
  })

  test('refuses a topic that is not there, and a place that is none', async () => {
    const unknown = await fonds.run(['consume', 'fonds.fixity.contents'])
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('did you mean fonds.fixity.content?'),
    ])
    const noPlace = await fonds.run(['consume', contentTopic, '--from', 'noon'])
    expect([noPlace.code, noPlace.err]).toEqual([2, expect.stringContaining('--from wants start, end, or')])
  })

  test('a topic that nobody has made yet is empty', async () => {
    expect(await fonds.run(['consume', 'fonds.fixity.events'])).toMatchObject({ code: 0, rows: [] })
  })
})

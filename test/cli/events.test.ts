import { beforeEach, describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const ask = (...argv: string[]) => fonds.run(['events', ...argv])
const types = async (...argv: string[]) => (await ask(...argv)).rows.map(({ type }) => type)

beforeEach(async () => {
  const stdin = lines(recorded('a', 1), recorded('b', 2), recorded('a', 3))
  await fonds.run([
    'do',
    'fixity.register-store',
    'store=main',
    'kind=external',
    '--actor',
    'ann',
    '--reason',
    'new',
  ])
  await fonds.run(['produce', contentTopic, '--wait'], { stdin })
})

describe('events', () => {
  test('are whole, in order, a line each', async () => {
    const { code, rows } = await ask()
    expect(code).toBe(0)
    const positions = rows.map(({ position }) => BigInt(position as string))
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)))
    expect(rows[0]).toMatchObject({
      type: 'StoreRegistered',
      stream: 'fixityStore-main',
      revision: '0',
      metadata: { actor: 'ann' },
    })
  })

  test('of a stream, a category, a type', async () => {
    const streams = async (...argv: string[]) =>
      new Set((await ask(...argv)).rows.map(({ stream }) => stream))
    expect(await streams('--stream', 'fixity-main/a')).toEqual(new Set(['fixity-main/a']))
    expect(await streams('--category', 'fixity')).toEqual(new Set(['fixity-main/a', 'fixity-main/b']))
    expect(await types('--type', 'StoreRegistered')).toEqual(['StoreRegistered'])
    expect(await types('--stream', 'fixity-main/a', '--type', 'StoreRegistered')).toEqual([])
  })

  test('that only tell who has a duty are there for who asks', async () => {
    expect((await ask()).rows.some(({ stream }) => String(stream).startsWith('duty-'))).toBe(false)
    // Each of the two commands had it for a moment.
    const lives = ['DutyTaken', 'DutyLeft', 'DutyTaken', 'DutyLeft']
    expect(await types('--category', 'duty')).toEqual(lives)
    expect(await types('--stream', 'duty-reactions')).toEqual(lives)
    expect(await types('--type', 'DutyLeft')).toEqual(['DutyLeft', 'DutyLeft'])
  })

  test('from a position on, and not more than wanted', async () => {
    const all = (await ask()).rows
    const from = String(all[2]?.position)
    expect((await ask('--from', from)).rows).toEqual(all.slice(2))
    expect((await ask('--from', from, '--limit', '1')).rows).toEqual(all.slice(2, 3))
    const last = all.filter(({ stream }) => stream === 'fixity-main/a').slice(-1)
    expect((await ask('--stream', 'fixity-main/a', '--from', String(last[0]?.position))).rows).toEqual(last)
    expect((await ask('--limit', '0')).rows).toEqual([])
  })

  test('--follow goes on until there are enough', async () => {
    const { rows } = await ask('--follow', '--limit', '2')
    expect(rows).toHaveLength(2)
  })

  test('are lines with time, type, stream and actor on a terminal', async () => {
    const { out } = await fonds.run(['events', '--limit', '1'], { terminal: 120, env: { NO_COLOR: '1' } })
    expect(out).toMatch(/^ +\d+ {2}\S+Z {2}StoreRegistered {2}fixityStore-main {2}by ann\n$/)
  })

  test.each([
    [['--type', 'FixityDecide'], 'did you mean FixityDecided?'],
    [['--category', 'fixit'], 'did you mean fixity?'],
    [['--stream', 'fixity-main/nothing'], 'there is no stream fixity-main/nothing'],
  ])('%j is not there', async (argv, says) => {
    const { code, err, out } = await ask(...argv)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(says)
  })
})

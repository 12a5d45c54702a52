import { beforeEach, describe, expect, test } from 'vitest'
import { ensureTopics } from '../../src/app/topics.ts'
import { contentTopic, lines, useFonds } from './fonds.ts'

const fonds = useFonds()
const by = ['--actor', 'ann', '--reason', 'test traffic']

const put = (...values: readonly (string | Uint8Array)[]) =>
  fonds.withSystem(async (system) => {
    await ensureTopics(system)
    await system.broker.produce(
      values.map((value) => ({ topic: contentTopic, key: 'k', headers: {}, value })),
    )()
  })
const handle = () => fonds.run(['produce', contentTopic, '--wait'], { stdin: lines() })
const list = async (...argv: string[]) => (await fonds.run(['dead-letters', 'list', ...argv])).rows
const firstId = async () => String((await list())[0]?.id)

beforeEach(async () => {
  await put('{not json', new Uint8Array([0xff, 0xfe]))
  await handle()
})

describe('dead letters', () => {
  test('are listed with the reason', async () => {
    expect((await list()).map(({ reason, status }) => [reason, status]).sort()).toEqual([
      ['not-json', 'waiting'],
      ['not-utf8', 'waiting'],
    ])
    expect(await list('--where', 'reason=not-json')).toHaveLength(1)
    expect(await list('--limit', '1')).toHaveLength(1)
    expect(await list('--status', 'retried')).toEqual([])
    const { out } = await fonds.run(['dead-letters', 'list'], { terminal: 120 })
    expect(out).toContain('not-json')
  })

  test('are shown whole', async () => {
    const [letter] = await list('--where', 'reason=not-json')
    const { rows } = await fonds.run(['dead-letters', 'show', String(letter?.id)])
    expect(rows).toMatchObject([{ value: '{not json', encoding: 'text', topic: contentTopic }])
    const { out } = await fonds.run(['dead-letters', 'show', String(letter?.id)], { terminal: 120 })
    expect(out).toContain('\n\n{not json\n')
  })

  test('retried are handled again, and it is said that they still cannot be used', async () => {
    const id = await firstId()
    const { code, rows, err } = await fonds.run(['dead-letters', 'retry', id, ...by])
    expect(code).toBe(1)
    expect(rows).toEqual([{ verb: 'retry', settled: 1, failed: 0, deadAgain: 1 }])
    expect(err).toContain('could not be used again')
    expect(await list()).toHaveLength(2)
    expect(await list('--status', 'retried')).toMatchObject([
      { id, settledBy: 'ann', settledBecause: 'test traffic' },
    ])
    expect(await list('--status', 'all')).toHaveLength(3)
  })

  test('discarded stay to be read', async () => {
    const id = await firstId()
    const { code, rows } = await fonds.run(['dead-letters', 'discard', id, ...by])
    expect([code, rows]).toEqual([0, [{ verb: 'discard', settled: 1, failed: 0 }]])
    expect(await list()).toHaveLength(1)
    const again = await fonds.run(['dead-letters', 'discard', id, ...by])
    expect(again.code).toBe(1)
    expect(again.err).toContain('discarded already')
  })

  test('many at once need a yes', async () => {
    const all = ['dead-letters', 'discard', '--all', '--where', 'reason=not-json', ...by]
    const asked = await fonds.run(all)
    expect(asked.code).toBe(2)
    expect(asked.err).toContain('this would discard 1 dead letter')
    expect(await list()).toHaveLength(2)
    expect((await fonds.run([...all, '--yes'])).code).toBe(0)
    expect((await list()).map(({ reason }) => reason)).toEqual(['not-utf8'])
  })

  test.each([
    [['show', 'none'], 1, 'there is no dead letter none'],
    [['retry', 'none', ...by], 1, 'there is no dead letter none'],
    [['discard', 'none', '--actor', 'ann'], 2, '--reason is missing'],
    [['discard', 'none', '--reason', 'x'], 2, '--actor is missing'],
    [['retry', ...by], 2, 'an id or --all'],
    [['retry', 'x', '--all', ...by], 2, 'an id or --all'],
    [['retry', 'x', '--where', 'reason=y', ...by], 2, '--where goes with --all'],
    [['list', '--where', 'colour=red'], 2, 'no column "colour"'],
    [['list', '--status', 'gone'], 2, '--status gone'],
    [['lst'], 2, 'Did you mean list?'],
  ])('%j', async (argv, wanted, says) => {
    const { code, out, err } = await fonds.run(['dead-letters', ...argv])
    expect([code, out]).toEqual([wanted, ''])
    expect(err).toContain(says)
  })
})

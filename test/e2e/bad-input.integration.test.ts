import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { ensureTopics } from '../../src/app/topics.ts'
import type { ProducerRecord } from '../../src/ports/broker.ts'
import { limits } from '../patience.ts'
import { openHome } from './open-home.ts'
import { type Line, linesOf, useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

/* What should never have been sent: it ends in a clear word, and what came with it has its effect. */

const topic = 'fonds.fixity.content'
const checksums = [{ algorithm: 'md5', value: 'a'.repeat(32) }]
const recorded = (path: string) => ({ type: 'content.recorded', data: { store: 'main', path, checksums } })

const paths = async (home: string): Promise<readonly string[]> =>
  (await ask(['query', 'fixity-items', '--columns', 'path'], { home })).map(({ path }: Line) => path)

it(
  'lines that cannot be used are refused with their number and reason; the others are taken',
  limits,
  async () => {
    const { folder, home } = useFolder()
    const bad: readonly (readonly [string | Buffer, string])[] = [
      ['{"not": "finished"', 'not-json'],
      [Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'not-utf8'],
      ['42', 'unknown-type'],
      [JSON.stringify({ type: 'content.eaten', data: {} }), 'unknown-type'],
      [JSON.stringify({ type: 'content.recorded', data: { store: 'main' } }), 'wrong-shape'],
      [JSON.stringify(recorded('../outside')), 'wrong-shape'],
      [JSON.stringify(recorded('/etc/passwd')), 'wrong-shape'],
      [JSON.stringify(recorded('a//b')), 'wrong-shape'],
      [JSON.stringify(recorded('nul\0')), 'wrong-shape'],
      [JSON.stringify({ ...recorded('x'), data: { store: 'a/b', path: 'x', checksums } }), 'wrong-shape'],
      [
        `{"type":"content.recorded","data":{"__proto__":{},"store":"main","path":"p","checksums":[]}}`,
        'wrong-shape',
      ],
      [`{"type":"content.recorded","data":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'wrong-shape'],
      [JSON.stringify({ ...recorded('huge'), subject: 'x'.repeat(2_000_000) }), 'too-large'],
    ]
    const file = join(folder, 'lines.ndjson')
    const lines = bad.flatMap(([line], i) => [JSON.stringify(recorded(`good ${i}`)), line])
    writeFileSync(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])))

    const sent = await run(['produce', topic, file, '--wait', '--rejects', join(folder, 'rejects')], { home })
    expect(sent.code).toBe(1)
    const [summary] = linesOf(sent)
    expect(summary).toMatchObject({ accepted: bad.length, refused: bad.length })
    expect(summary.refusals.map(({ line, reason }: Line) => [line, reason])).toEqual(
      bad.map(([, reason], i) => [2 * (i + 1), reason]),
    )
    expect(summary.refusals.every(({ message }: Line) => message.length > 10)).toBe(true)
    expect(await paths(home)).toEqual(bad.map((_, i) => `good ${i}`).toSorted())
    expect(await ask(['dead-letters', 'list', '--status', 'all'], { home })).toEqual([])
  },
)

it('a message sent twice has its effect once, also when it is sent as another file', limits, async () => {
  const { home } = useFolder()
  const twice = { specversion: '1.0', id: 'one', source: 'urn:test', ...recorded('twice') }
  const changed = { ...twice, data: { ...twice.data, size: 5 } }
  for (const message of [twice, twice, changed])
    await ask(['produce', topic, '--wait'], { home, stdin: `${JSON.stringify(message)}\n` })
  const history = await ask(['history', 'main/twice'], { home })
  expect(history.filter(({ type }) => type === 'ContentRecorded')).toHaveLength(1)
})

it('a command about something that nobody knows is told so', limits, async () => {
  const { home } = useFolder()
  const by = ['--actor', 'r.vermeer', '--reason', 'test']
  const asked = await run(['do', 'fixity.check', 'store=main', 'path=nothing.txt', ...by], { home })
  expect(asked.code).toBe(1)
  expect(asked.stderr).toContain('nothing is known of main/nothing.txt')
  expect((await run(['do', 'fixity.check', 'store=main', 'path=../x', ...by], { home })).code).toBe(2)
  expect((await run(['produce', 'fonds.fixity.nowhere'], { home })).code).toBe(1)
  expect((await run(['fixity', 'add', join(home, 'no such folder')], { home })).code).toBe(3)
})

/** CloudEvent in binary mode, as any Kafka client may send it. */
const rawRecord = (type: string, data: unknown, key: string | null): ProducerRecord => ({
  topic,
  key,
  headers: {
    ce_specversion: '1.0',
    ce_id: `${type} ${JSON.stringify(data)} ${key}`,
    ce_source: 'urn:test',
    ce_type: type,
    'content-type': 'application/json',
  },
  value: JSON.stringify(data),
})
const rawRecorded = (path: string, key: string | null = `main/${path}`): ProducerRecord =>
  rawRecord('content.recorded', recorded(path).data, key)

it(
  'records that no client of ours would send become dead letters, whole; retry and discard need a person',
  limits,
  async () => {
    const { home } = useFolder()
    const plain = { topic, key: 'main/x', headers: {} }
    const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d])
    const bad: readonly (readonly [ProducerRecord, string])[] = [
      [{ ...plain, value: 'not json at all \u202e\u001b[2J' }, 'not-json'],
      [{ ...plain, value: '' }, 'not-json'],
      [{ ...plain, value: notUtf8 }, 'not-utf8'],
      [{ ...plain, value: JSON.stringify(recorded('no envelope').data) }, 'not-a-cloud-event'],
      [rawRecord('content.eaten', {}, 'main/x'), 'unknown-type'],
      [
        rawRecord('content.recorded', { store: 'main', path: 'x', checksums: 'none' }, 'main/x'),
        'wrong-shape',
      ],
      [rawRecorded('../outside'), 'wrong-shape'],
      [rawRecorded('wrongly keyed', 'main/other'), 'wrong-key'],
      [rawRecorded('not keyed', null), 'wrong-key'],
    ]
    const system = await openHome(home)
    await ensureTopics(system)
    const records = bad.flatMap(([record], i) => [rawRecorded(`good ${i}`), record])
    expect(isLeft(await system.broker.produce(records)())).toBe(false)
    const huge = { ...rawRecorded('huge'), value: 'x'.repeat(2_000_000) }
    expect(await system.broker.produce([huge])()).toMatchObject({ left: { kind: 'TooLarge' } })
    await system.close()

    await ask(['produce', topic, '--wait'], { home, stdin: `${JSON.stringify(recorded('last'))}\n` })
    expect(await paths(home)).toEqual([...bad.map((_, i) => `good ${i}`), 'last'].toSorted())
    const letters = await ask(['dead-letters', 'list'], { home })
    expect(letters.map(({ reason }) => reason).toSorted()).toEqual(bad.map(([, reason]) => reason).toSorted())
    const shown: Line[] = []
    for (const { id } of letters) shown.push(...(await ask(['dead-letters', 'show', id], { home })))
    const bytesIn = ({ value, encoding }: Line) =>
      Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8').toString('hex')
    expect(shown.map((letter) => `${letter.key} ${bytesIn(letter)}`).toSorted()).toEqual(
      bad.map(([{ key, value }]) => `${key} ${Buffer.from(value).toString('hex')}`).toSorted(),
    )
    expect(shown.find(({ reason }) => reason === 'wrong-shape')).toMatchObject({
      topic,
      path: expect.any(String),
    })

    const [letter] = letters
    const by = ['--actor', 'r.vermeer', '--reason', 'sent by mistake']
    expect((await run(['dead-letters', 'discard', letter.id], { home })).code).toBe(2)
    expect((await run(['dead-letters', 'discard', letter.id, ...by], { home })).code).toBe(0)
    expect((await run(['dead-letters', 'discard', letter.id, ...by], { home })).code).toBe(1)
    expect((await run(['dead-letters', 'show', 'no such letter'], { home })).code).toBe(1)
    expect(await ask(['dead-letters', 'list', '--status', 'discarded'], { home })).toMatchObject([
      { id: letter.id, settledBy: 'r.vermeer', settledBecause: 'sent by mistake' },
    ])
    // What was wrong stays wrong: retried as it came, it is a dead letter again.
    const again = await run(['dead-letters', 'retry', letters[1].id, ...by], { home })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('could not be used again')
    expect(await ask(['dead-letters', 'list'], { home })).toHaveLength(bad.length - 1)
    expect(
      (await ask(['rebuild', '--all', '--verify'], { home })).every(({ verdict }) => verdict === 'equal'),
    ).toBe(true)
  },
)

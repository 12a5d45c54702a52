import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { discardDeadLetter, retryDeadLetter, showDeadLetter } from '../../src/app/dead-letter-service.ts'
import type { System } from '../../src/app/system.ts'
import { ensureTopics } from '../../src/app/topics.ts'
import { contentTopic } from '../../src/domain/fixity/messages.ts'
import { readMessage } from '../../src/domain/kernel/cloud-event.ts'
import { type DeadLetter, deadLetterStream, deadLetters } from '../../src/domain/kernel/dead-letter.ts'
import type { ProducerRecord } from '../../src/ports/broker.ts'
import ofNulls from '../domain/kernel/dead-letters-of-nulls.json' with { type: 'json' }
import { openTestSystem } from '../fakes/system.ts'

const by = { actor: 'r.vermeer', reason: 'the producer was mended' }
const topic = 'fonds.fixity.content'
const letter: Omit<DeadLetter, 'at'> = {
  processor: 'fixity',
  topic,
  partition: 0,
  offset: '7',
  key: 'main/a.tif',
  headers: { ce_id: '1' },
  value: '{"half',
  encoding: 'text',
  reason: 'not-json',
  path: null,
  message: 'is not JSON',
}

let system: System
const deadLetter = async (changes: Partial<DeadLetter> = {}) => {
  const kept = await system.execute(deadLetters, {
    stream: deadLetterStream('1'),
    command: {
      type: 'DeadLetter',
      actor: 'fixity',
      at: system.clock.now(),
      letter: { ...letter, ...changes },
    },
    causationId: 'c',
    correlationId: 'c',
  })
  if (isLeft(kept)) throw new Error(JSON.stringify(kept.left))
}
/** A broker that notes what it is handed; `then` runs once it has taken it. */
const noting = (taken: ProducerRecord[], then = () => {}): System['broker'] => ({
  ...system.broker,
  produce: (records) => async () => {
    taken.push(...records)
    then()
    return right([{ topic, partition: 0, offset: 8n }])
  },
})

beforeEach(async () => {
  system = await openTestSystem()
  onTestFinished(system.close)
  await ensureTopics(system)
})

describe('a retried dead letter', () => {
  it('is produced as it came: bytes, key and headers', async () => {
    await deadLetter({ value: Buffer.from([255, 0]).toString('base64'), encoding: 'base64' })
    const taken: ProducerRecord[] = []
    const resolved = await retryDeadLetter({ ...system, broker: noting(taken) }, '1', by)
    expect(resolved).toMatchObject(right({ outcome: 'done', placed: { offset: 8n } }))
    expect(taken).toEqual([
      { topic, key: 'main/a.tif', headers: { ce_id: '1' }, value: Buffer.from([255, 0]) },
    ])
  })

  it('is produced with the bytes of key and headers where they are no text', async () => {
    await deadLetter({ raw: { key: '/2E=', headers: [{ name: 'a', value: '/g==' }] } })
    const taken: ProducerRecord[] = []
    await retryDeadLetter({ ...system, broker: noting(taken) }, '1', by)
    expect(taken[0]?.raw).toEqual({
      key: Buffer.from([255, 0x61]),
      headers: [{ name: 'a', value: Buffer.from([254]) }],
    })
  })

  it('is not taken by a broker that keeps text alone, and waits', async () => {
    await deadLetter({ raw: { key: '/2E=', headers: [] } })
    expect(await retryDeadLetter(system, '1', by)).toMatchObject(
      left({ kind: 'NotTaken', reason: expect.stringContaining('the embedded broker stores text only') }),
    )
    expect(await showDeadLetter(system, '1')).toMatchObject(right({ status: 'waiting' }))
  })

  it('still waits after a crash between producing and noting, and is produced again', async () => {
    await deadLetter()
    const taken: ProducerRecord[] = []
    const crashing = noting(taken, () => {
      throw new Error('the power went')
    })
    await expect(retryDeadLetter({ ...system, broker: crashing }, '1', by)).rejects.toThrow('the power went')
    expect(await showDeadLetter(system, '1')).toMatchObject(right({ status: 'waiting' }))
    await retryDeadLetter({ ...system, broker: noting(taken) }, '1', by)
    expect(await showDeadLetter(system, '1')).toMatchObject(right({ status: 'retried' }))
    expect(taken).toHaveLength(2)
    expect(taken[0]).toEqual(taken[1])
  })

  it('is not noted when its topic does not take it', async () => {
    await deadLetter()
    const saying = (failure: object) => ({
      ...system.broker,
      produce: () => async () => left(failure as never),
    })
    const retry = (failure: object) => retryDeadLetter({ ...system, broker: saying(failure) }, '1', by)
    expect(await retry({ kind: 'Unavailable', reason: 'no disk' })).toEqual(
      left({ kind: 'Unavailable', reason: 'no disk' }),
    )
    expect(await retry({ kind: 'UnknownTopic', topic: 'x' })).toMatchObject(left({ kind: 'NotTaken' }))
    expect(await retry({ kind: 'TooLarge', bytes: 2, limit: 1 })).toMatchObject(left({ kind: 'NotTaken' }))
    expect(await showDeadLetter(system, '1')).toMatchObject(right({ status: 'waiting' }))
  })

  it('is not produced once it is settled', async () => {
    await deadLetter()
    await discardDeadLetter(system, '1', by)
    const taken: ProducerRecord[] = []
    expect(await retryDeadLetter({ ...system, broker: noting(taken) }, '1', by)).toMatchObject(
      left({ kind: 'Rejected', rejection: { code: 'settled' } }),
    )
    expect(taken).toEqual([])
  })

  it('is not produced when its bytes were not kept', async () => {
    await deadLetter({ value: '', encoding: 'none' })
    const taken: ProducerRecord[] = []
    expect(await retryDeadLetter({ ...system, broker: noting(taken) }, '1', by)).toMatchObject(
      left({ kind: 'Rejected', rejection: { code: 'not-kept' } }),
    )
    expect(taken).toEqual([])
    expect(await discardDeadLetter(system, '1', by)).toMatchObject(right({ outcome: 'done' }))
  })
})

describe('a dead letter of headers without a value, which older versions read as empty', () => {
  it.each(ofNulls)('can be used once it is retried: $data.message', async ({ type, schema, data }) => {
    const metadata = { actor: 'fonds.fixity', causationId: 'c', correlationId: 'c', schema }
    const event = { id: uuid(), type, data, json: JSON.stringify(data), metadata }
    expect(isLeft(await system.eventStore.append(deadLetterStream('1'), 'none', [event])())).toBe(false)
    const taken: ProducerRecord[] = []
    await retryDeadLetter({ ...system, broker: noting(taken) }, '1', by)
    const [{ key, headers, value, raw } = {} as ProducerRecord] = taken
    const names = raw ? raw.headers.map(({ name }) => name) : Object.keys(headers)
    // Nothing refuses these where they are empty.
    const others = Object.keys(data.headers).filter((name) => name === 'trace' || name === 'note')
    expect(names).toEqual(
      expect.arrayContaining(['ce_specversion', 'ce_id', 'ce_source', 'ce_type', ...others]),
    )
    const record = { log: 'log', topic, partition: 0, offset: 8n, key, headers, value, timestamp: data.at }
    expect(readMessage({ ...record, ...(raw && { raw }) }, contentTopic)).toMatchObject(
      right({ id: '1', source: '/cataloguer', type: 'content.removed', data: { reason: 'withdrawn' } }),
    )
  })

  it('was refused for them', () => {
    for (const { data } of ofNulls) {
      const { topic, partition, key, headers, value, at: timestamp } = data
      const record = { log: 'log', topic, partition, offset: 7n, key, headers, value, timestamp }
      expect(readMessage(record as never, contentTopic)).toMatchObject(left({ path: data.path }))
    }
  })
})

it('one cause settles a letter once', async () => {
  await deadLetter()
  const once = { ...by, cause: 'form#1' }
  expect(await discardDeadLetter(system, '1', once)).toMatchObject(right({ outcome: 'done' }))
  expect(await discardDeadLetter(system, '1', once)).toMatchObject(right({ outcome: 'repeated' }))
  expect(await discardDeadLetter(system, '1', by)).toMatchObject(left({ kind: 'Rejected' }))
})

it('a letter that is not there is not found', async () => {
  for (const settle of [showDeadLetter, retryDeadLetter, discardDeadLetter])
    expect(await settle(system, '2', by)).toEqual(left({ kind: 'NotFound', id: '2' }))
})

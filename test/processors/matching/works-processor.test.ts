import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { readMessage } from '#src/domain/kernel/cloud-event.ts'
import type { Rejection } from '#src/domain/kernel/rejection.ts'
import { maxLinks, worksTopic } from '#src/domain/matching/messages.ts'
import { workStream } from '#src/domain/matching/work.ts'
import { worksProcessor } from '#src/processors/matching/works-processor.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'

const now = '2026-01-31T12:00:00.000Z'

/** A record that is all right, but for what `data` says otherwise. */
const record = (data: object, headers: Readonly<Record<string, string>> = {}) => {
  const said = {
    id: 'a',
    source: 'sierra',
    sourceVersion: 1,
    sourceModifiedAt: now,
    state: 'visible',
    links: [],
    ...data,
  }
  return {
    log: 'test',
    topic: worksTopic.name,
    partition: 0,
    offset: 0n,
    key: typeof said.id === 'string' ? said.id : null,
    headers: {
      ce_specversion: '1.0',
      ce_id: 'm1',
      ce_source: 'https://catalogue.example',
      ce_type: 'work.updated',
      ...headers,
    },
    value: JSON.stringify(said),
    timestamp: now,
  }
}

const world = () => {
  const clock = fakeClock(now)
  const store = fakeEventStore({ now: clock.now })
  const execute = executor(store, streamStates(store))
  const processor = worksProcessor(clock)

  const routesOf = async (data: object, headers?: Readonly<Record<string, string>>) => {
    const message = readMessage(record(data, headers), worksTopic)
    if (isLeft(message)) throw new Error(message.left.message)
    const [routes] = await processor.route([message.right])
    return routes ?? []
  }

  return {
    routesOf,
    /** What came of a record: types of events, or the rejection. */
    take: async (data: object, id = 'm1'): Promise<readonly (string | Rejection)[]> => {
      const outcomes = await Promise.all(
        (await routesOf(data)).map((route) =>
          execute(route.decider, {
            stream: route.stream,
            command: route.command as never,
            causationId: id,
            correlationId: id,
          }),
        ),
      )
      return outcomes.flatMap((outcome): readonly (string | Rejection)[] => {
        if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
        const { right } = outcome
        if (right.kind === 'rejected') return [right.rejection]
        return right.kind === 'done' ? right.events.map(({ type }) => type) : []
      })
    },
    streamOf: async (work: string) => {
      const read = await store.read(workStream(work), 'start', 'forward', 100)()
      if (isLeft(read)) throw new Error(JSON.stringify(read.left))
      return read.right
    },
  }
}

/** Why a record is no message. */
const refusal = (data: object) => {
  const message = readMessage(record(data), worksTopic)
  return isLeft(message) ? message.left : undefined
}

describe('a message becomes a command on its work’s stream', () => {
  it('with all that it says, and who sent it', async () => {
    const said = {
      id: 'h3xbcs2m',
      source: 'sierra',
      sourceVersion: 7,
      sourceModifiedAt: '2026-01-30T12:00:00.000Z',
      state: 'invisible',
      title: 'Hevajratantra',
      links: [{ to: 'jz8d34qd', reason: 'digitised as' }],
      fields: { subjects: ['Sanskrit'] },
    }
    const routes = await world().routesOf(said)
    const { id, ...facts } = said
    expect(routes).toMatchObject([
      {
        stream: 'work-h3xbcs2m',
        command: { type: 'Observe', work: id, ...facts, actor: 'https://catalogue.example', at: now },
      },
    ])
  })

  it('one a message, in the order of the messages', async () => {
    const messages = ['a', 'b', 'a'].map((id) => {
      const message = readMessage(record({ id }), worksTopic)
      if (isLeft(message)) throw new Error(message.left.message)
      return message.right
    })
    const routes = await worksProcessor(fakeClock(now)).route(messages)
    expect(routes.map((some) => some.map(({ stream }) => stream))).toEqual([
      ['work-a'],
      ['work-b'],
      ['work-a'],
    ])
  })

  it('said when the message says, but never in the future', async () => {
    const atOf = async (time: string) => (await world().routesOf({}, { ce_time: time }))[0]?.command.at
    expect(await atOf('2026-01-31T11:00:00.000Z')).toBe('2026-01-31T11:00:00.000Z')
    expect(await atOf('2026-01-31T13:00:00.000Z')).toBe(now)
  })
})

describe('bad input', () => {
  it('a work without id is a dead letter', () => {
    expect(refusal({ id: undefined })).toMatchObject({ reason: 'wrong-shape', path: 'data.id' })
    expect(refusal({ id: '' })).toMatchObject({ reason: 'wrong-shape', path: 'data.id' })
  })

  it('a link to itself only: the work has no links', async () => {
    const { take, streamOf } = world()
    expect(await take({ links: [{ to: 'a', reason: 'same as' }] })).toEqual(['WorkObserved'])
    expect((await streamOf('a'))[0]?.data).toMatchObject({ links: [] })
  })

  it('more links than any record has are a dead letter', async () => {
    const links = Array.from({ length: maxLinks + 1 }, (_, i) => ({ to: `b${i}`, reason: 'x' }))
    expect(refusal({ links })).toMatchObject({
      reason: 'wrong-shape',
      path: 'data.links',
      message: expect.stringContaining('at most 10000 links'),
    })
    expect(await world().take({ links: links.slice(1) })).toEqual(['WorkObserved'])
  })

  it.each(['7', 1.5, -1, null, Number.MAX_SAFE_INTEGER + 1])(
    'a version of %j is a dead letter',
    (version) => {
      expect(refusal({ sourceVersion: version })).toMatchObject({
        reason: 'wrong-shape',
        path: 'data.sourceVersion',
      })
    },
  )

  it('an id with spaces is an id, but for spaces around it', async () => {
    const { take, streamOf } = world()
    expect(await take({ id: 'MS Sanskrit 12' })).toEqual(['WorkObserved'])
    expect(await streamOf('MS Sanskrit 12')).toHaveLength(1)
    for (const id of [' a', 'a ', '\ta', 'a\nb', 'a\u0000']) expect(refusal({ id })?.path).toBe('data.id')
    expect(refusal({ links: [{ to: 'b ', reason: 'x' }] })?.path).toBe('data.links.0.to')
  })

  it('an id of 2,000 characters is an id, one of 2,001 a dead letter', async () => {
    const { take, streamOf } = world()
    expect(await take({ id: 'x'.repeat(2000) })).toEqual(['WorkObserved'])
    expect(await streamOf('x'.repeat(2000))).toHaveLength(1)
    expect(refusal({ id: 'x'.repeat(2001) })).toMatchObject({
      path: 'data.id',
      message: expect.stringContaining('the limit is 2000'),
    })
  })

  it('M5, a time far in the future: kept as it is said, and a later version is taken as ever', async () => {
    const { take, streamOf } = world()
    const future = '2999-12-31T00:00:00.000Z'
    expect(await take({ sourceModifiedAt: future })).toEqual(['WorkObserved'])
    expect(await take({ sourceVersion: 2 }, 'm2')).toEqual(['WorkObserved'])
    expect((await streamOf('a')).map(({ data }) => data)).toMatchObject([
      { sourceModifiedAt: future, at: now },
      { sourceModifiedAt: now, at: now },
    ])
  })

  it('a time that is none is a dead letter', () => {
    for (const sourceModifiedAt of ['yesterday', '2026-02-30T00:00:00Z', 1_769_860_800_000])
      expect(refusal({ sourceModifiedAt })?.path).toBe('data.sourceModifiedAt')
  })

  it('same id from two sources: the second is refused', async () => {
    const { take, streamOf } = world()
    await take({})
    expect(await take({ source: 'folio', sourceVersion: 9 }, 'm2')).toMatchObject([{ code: 'other-source' }])
    expect(await streamOf('a')).toHaveLength(1)
  })

  it('field names of built-in properties are kept; __proto__ is a dead letter', async () => {
    const { take, streamOf } = world()
    await take({ fields: { constructor: 'x', toString: 1 } })
    expect((await streamOf('a'))[0]?.data).toMatchObject({ fields: { constructor: 'x', toString: 1 } })
    const hostile = record({ fields: {} })
    const value = hostile.value.replace('"fields":{}', '"fields":{"__proto__":{"x":1}}')
    expect(readMessage({ ...hostile, value }, worksTopic)).toMatchObject({ left: { reason: 'wrong-shape' } })
  })
})

describe('deliveries', () => {
  it('Duplicate notification: the same message, or the same said again, is one event', async () => {
    const { take, streamOf } = world()
    await take({}, 'm1')
    expect(await take({}, 'm1')).toEqual([])
    expect(await take({}, 'm2')).toEqual([])
    expect(await streamOf('a')).toHaveLength(1)
  })

  it('M7, M8, Stale source version after a newer one: the newest stays', async () => {
    const { take, streamOf } = world()
    expect(await take({ sourceVersion: 2, title: 'newer' }, 'm2')).toEqual(['WorkObserved'])
    expect(await take({ sourceVersion: 1, title: 'older' }, 'm1')).toMatchObject([
      { code: 'older-version', details: { work: 'a', offered: 1, held: 2 } },
    ])
    expect((await streamOf('a')).map(({ data }) => data)).toMatchObject([{ title: 'newer' }])
  })

  it('Same version, other content: corrected', async () => {
    const { take } = world()
    await take({ title: 'one' }, 'm1')
    expect(await take({ title: 'other' }, 'm2')).toEqual(['WorkCorrected'])
  })
})

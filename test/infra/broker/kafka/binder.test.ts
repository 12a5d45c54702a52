import fc from 'fast-check'
import { left, right } from 'fp-ts/lib/Either.js'
import type { Admin } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { createGroupBinder } from '#infra/broker/kafka/binder.ts'
import type { MarkedOffsets } from '#infra/broker/kafka/group-offsets.ts'
import type { Share } from '#infra/broker/kafka/unmarked-offsets.ts'
import { GroupOfAnotherLog } from '#src/async/errors.ts'
import { type LogMark, writeMark } from '#src/domain/kernel/group-binding.ts'

/** What Kafka keeps of one group, on a topic of two partitions whose oldest record is at 5. */
const fakeGroup = (turn: () => Promise<unknown> = async () => {}) => {
  let isAway = false
  const away = { kind: 'Unavailable', reason: 'away' } as const
  const places = new Map<number, { offset: string; metadata: string | null }>()
  const admin = {
    fetchOffsets: async () => {
      await turn()
      return [
        { topic: 'full', partitions: Array.from(places, ([partition, one]) => ({ partition, ...one })) },
      ]
    },
    fetchTopicOffsets: async () => {
      await turn()
      return [0, 1].map((partition) => ({ partition, low: '5', high: '9', offset: '9' }))
    },
  } as unknown as Admin
  const commit = async (offsets: MarkedOffsets) => {
    await turn()
    for (const { partitions } of offsets)
      for (const { partition, offset, metadata } of partitions) places.set(partition, { offset, metadata })
  }
  const binderOf = (log: string, isHeld = true, event?: string) => {
    const mark: LogMark = event
      ? { log, at: { event, stream: 's-1', revision: '0', position: '1' } }
      : { log }
    return createGroupBinder({
      group: 'g',
      fullGroup: 'full-g',
      topics: new Map([['full', 't']]),
      cluster: { call: (_, work) => async () => (isAway ? left(away) : right(await work(admin))) },

      ownLog: {
        ask: async () => mark,
        newest: () => mark,
        holds: async (at) => isHeld || at.event === event,
      },
      clock: { sleep: () => new Promise((resolve) => setImmediate(resolve)) },
      outage: { away: () => {}, back: () => {} },
    })
  }
  const goAway = () => {
    isAway = true
  }
  const comeBack = () => {
    isAway = false
  }
  return { places, commit, binderOf, goAway, comeBack }
}
const whole: Share = { full: [0, 1] }
const { signal } = new AbortController()

describe('a group is bound to one log', () => {
  it('where it never committed: at the oldest records, and where it stood', async () => {
    const { places, commit, binderOf } = fakeGroup()
    places.set(1, { offset: '8', metadata: '' })
    expect(await binderOf('ours').bind(whole, commit, signal)).toBe(true)
    const metadata = writeMark({ log: 'ours' })
    expect(Object.fromEntries(places)).toEqual({ 0: { offset: '5', metadata }, 1: { offset: '8', metadata } })
  })

  it('and commits nothing where it is bound', async () => {
    const { places, binderOf } = fakeGroup()
    for (const partition of [0, 1])
      places.set(partition, { offset: '7', metadata: writeMark({ log: 'ours' }) })
    expect(await binderOf('ours').bind(whole, () => Promise.reject(new Error('committed')), signal)).toBe(
      true,
    )
  })

  it('which a member of another log, or of a copy, is told: before it joins and after', async () => {
    const { places, commit, binderOf } = fakeGroup()
    const at = { event: 'e', stream: 's-1', revision: '0', position: '1' }
    places.set(0, { offset: '7', metadata: writeMark({ log: 'ours', at }) })
    for (const binder of [binderOf('theirs'), binderOf('ours', false)]) {
      await expect(binder.check()).rejects.toThrow(GroupOfAnotherLog)
      await expect(binder.bind(whole, commit, signal)).rejects.toThrow(/kafka\.bind-groups/)
    }
    expect(places.size).toBe(1)
  })

  it('an assigner that does not look gives both a share: however they take turns, not both work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { commit, binderOf } = fakeGroup(() => scheduler.schedule(Promise.resolve()))
        const told = [
          binderOf('ours').bind({ full: [0] }, commit, signal),
          binderOf('theirs').bind({ full: [1] }, commit, signal),
        ].map((bind) => bind.catch((error: unknown) => error instanceof GroupOfAnotherLog && 'refused'))
        await scheduler.waitFor(Promise.all(told))
        const outcomes = await Promise.all(told)
        expect(outcomes.filter((one) => one === true).length).toBeLessThan(2)
        expect(outcomes).toContain('refused')
      }),
    )
  })

  it('a member without a share waits until others have bound it', async () => {
    const { commit, binderOf } = fakeGroup()
    const waiting = binderOf('theirs').bind({}, commit, signal)
    const first = binderOf('ours').bind(whole, commit, signal)
    await expect(waiting).rejects.toThrow(GroupOfAnotherLog)
    expect(await first).toBe(true)
  })
})

describe('the assigner admits', () => {
  const members = new Map<string, LogMark | undefined>([
    ['one', { log: 'ours' }],
    ['two', { log: 'theirs' }],
    ['older', undefined],
  ])

  it('members of its own log where the group has none yet', async () =>
    expect(await fakeGroup().binderOf('ours').admit(members)).toEqual(['one', 'older']))

  it("members of the group's log, though that is not its own", async () => {
    const { places, binderOf } = fakeGroup()
    places.set(0, { offset: '7', metadata: writeMark({ log: 'theirs' }) })
    expect(await binderOf('ours').admit(members)).toEqual(['two', 'older'])
  })

  it('no copy that holds what it does not', async () => {
    const at = { event: 'e', stream: 's-1', revision: '0', position: '9' }
    const copies = new Map([
      ['one', { log: 'ours', at: { ...at, event: 'mine' } }],
      ['copy', { log: 'ours', at }],
    ])
    expect(await fakeGroup().binderOf('ours', false, 'mine').admit(copies)).toEqual(['one'])
  })

  it('all of them while something is away: each makes certain for itself, and waits until it can', async () => {
    const { commit, binderOf, goAway, comeBack } = fakeGroup()
    const binder = binderOf('ours')
    goAway()
    expect(await binder.admit(members)).toEqual(['one', 'two', 'older'])
    await binder.check()
    let isBound = false
    const binding = binder.bind(whole, commit, signal).then((bound) => {
      isBound = bound
    })
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(isBound).toBe(false)
    comeBack()
    await binding
    expect(isBound).toBe(true)
  })
})

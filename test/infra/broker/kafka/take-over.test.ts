import * as E from 'fp-ts/lib/Either.js'
import type { Kafka } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../../../infra/broker/kafka/cluster.ts'
import { failureOf } from '../../../../infra/broker/kafka/failure.ts'
import { openGroupOffsets } from '../../../../infra/broker/kafka/group-offsets.ts'
import { createNames } from '../../../../infra/broker/kafka/names.ts'
import { patiently } from '../../../../infra/broker/kafka/patiently.ts'
import { fakeClock } from '../../../fakes/clock.ts'

const away = Object.assign(new Error('away'), { name: 'KafkaJSGroupCoordinatorNotFound' })
const forbidden = Object.assign(new Error('no'), { type: 'GROUP_AUTHORIZATION_FAILED' })
const elsewhere = Object.assign(new Error('not here'), { type: 'NOT_COORDINATOR_FOR_GROUP' })

interface Offsets {
  readonly topic: string
  readonly partitions: readonly {
    readonly partition: number
    readonly offset: string
    readonly metadata: string | null
  }[]
}

/** Kafka's groups, with calls that go wrong before or after they had their effect. */
const startKafka = (describeFails: Readonly<Record<string, Error>> = {}) => {
  const groups = new Map<string, readonly Offsets[]>([
    ['former', [{ topic: 't', partitions: [{ partition: 0, offset: '7', metadata: null }] }]],
  ])
  let calls = 0
  let breaks = { at: -1, after: false }
  const call = async <A>(effect: () => A): Promise<A> => {
    const isBroken = calls++ === breaks.at
    if (isBroken && !breaks.after) throw away
    const result = effect()
    if (isBroken) throw away
    return result
  }
  const admin = {
    fetchOffsets: ({ groupId }: { groupId: string }) => call(() => groups.get(groupId) ?? []),
    deleteGroups: (ids: readonly string[]) =>
      call(() => {
        for (const id of ids) groups.delete(id)
      }),
  }
  const coordinator = {
    offsetCommit: ({ groupId, topics }: { groupId: string; topics: readonly Offsets[] }) =>
      call(() => groups.set(groupId, topics)),
    describeGroups: async ({ groupIds: [id] }: { groupIds: readonly string[] }) => {
      throw describeFails[id!] ?? elsewhere
    },
  }
  const raw = {
    connect: async () => {},
    disconnect: async () => {},
    findGroupCoordinator: async () => coordinator,
    refreshMetadataIfNecessary: async () => {},
    findControllerBroker: async () => coordinator,
  }
  const kafka = {
    consumer: (config: { partitionAssigners: readonly ((config: unknown) => unknown)[] }) =>
      config.partitionAssigners[0]!({ cluster: raw }),
  } as unknown as Kafka
  const cluster = {
    call: (what, work) => async () => {
      try {
        return E.right(await work(admin as unknown as Parameters<typeof work>[0]))
      } catch (error) {
        return E.left(failureOf(error, what))
      }
    },
  } as Cluster
  return {
    groups,
    offsets: openGroupOffsets(cluster, kafka, createNames('')),
    breakAt: (at: number, after: boolean) => {
      breaks = { at: calls + at, after }
    },
  }
}

describe('a group that takes over from its former name', () => {
  const steps = [
    'looks where the former stands',
    'looks where it stands itself',
    'commits',
    'deletes the former',
  ]
  it.each(
    steps.flatMap((step, at) => [
      [step, 'before', at],
      [step, 'after', at],
    ]),
  )('ends where the former stood though Kafka goes away while it %s: %s its effect', async (_, when, at) => {
    const { groups, offsets, breakAt } = startKafka()
    const stood = groups.get('former')
    breakAt(Number(at), when === 'after')
    const clock = fakeClock()
    const patience = { clock, mayWait: () => true, closing: new AbortController().signal }
    expect(await patiently(offsets.takeOver('group', 'former'), patience)()).toEqual(E.right(undefined))
    expect(groups.get('group')).toEqual(stood)
    // As whoever starts next does.
    await offsets.takeOver('group', 'former')()
    expect([...groups]).toEqual([['group', stood]])
  })

  it('is told at once what is away, where nobody may wait for it', async () => {
    const { offsets, breakAt } = startKafka()
    breakAt(0, false)
    const patience = { clock: fakeClock(), mayWait: () => false, closing: new AbortController().signal }
    expect(await patiently(offsets.takeOver('group', 'former'), patience)()).toMatchObject({
      left: { kind: 'Unavailable' },
    })
  })

  it.each(['group', 'former'])(
    'is refused where Kafka keeps the %s from us, which is no outage',
    async (id) => {
      const { offsets } = startKafka({ [id]: forbidden })
      expect(await offsets.checkRights(['group', 'former'])()).toMatchObject({
        left: { kind: 'Forbidden', reason: expect.stringContaining(`on group ${id}`) },
      })
      expect(await startKafka().offsets.checkRights(['group', 'former'])()).toEqual(E.right(undefined))
    },
  )
})

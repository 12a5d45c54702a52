import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import type { LogMark } from '#src/domain/kernel/group-binding.ts'
import type { Broker } from '#src/ports/broker.ts'
import type { BoundPlace } from '#src/ports/group-binding.ts'
import { groupOf } from '#src/processors/runtime/processor.ts'
import { bindGroups } from '#src/workflows/system/bind-groups.ts'
import { testSystem } from '../../app/archive.ts'
import { event } from '../../contracts/new-event.ts'

const id = 'cluster/prefix-'
const topic = contentTopic.name

/** A system on a broker with one topic of four partitions: this log knows messages of the first three. */
const setUp = async (inUse = false) => {
  const system = await testSystem()
  const { group: bindable } = groupOf(
    system.workflows
      .flatMap((one) => one.processors(system))
      .find(({ topics }) => topics.some(({ name }) => name === topic))!,
  )
  const log = await system.eventStore.identity()()
  const mark: LogMark = { log: isLeft(log) ? '' : log.right }
  const places: BoundPlace[] = [
    { topic, partition: 0, next: 90_000n, mark },
    { topic, partition: 1, next: 90_000n },
    { topic, partition: 2, next: 90_000n, mark: { log: 'another' } },
    { topic, partition: 3, next: 90_000n, mark },
  ]
  const bound = new Map<string, readonly Required<BoundPlace>[]>()
  const broker = {
    id,
    topics: () => async () =>
      right([
        {
          name: topic,
          partitions: 4,
          offsets: [0, 1, 2, 3].map((partition) => ({ partition, start: 100n, end: 100_000n })),
        },
      ]),
    binding: {
      places: (group: string) => async () => right(group === bindable ? places : []),
      bind: (group: string, some: readonly Required<BoundPlace>[]) => async () => {
        if (inUse) return left({ kind: 'InUse' as const, group })
        bound.set(group, some)
        return right(undefined)
      },
    },
  } as unknown as Broker
  const from = async (partition: number, offset: number, log = id) => {
    const { metadata, ...rest } = event()
    const origin = { log, topic, partition, offset: `${offset}` }
    await system.eventStore.append(`x-${partition}`, 'any', [
      { ...rest, metadata: { ...metadata, origin } },
    ])()
  }
  await from(0, 80_000)
  await from(0, 70_000)
  await from(0, 99_999, 'another broker')
  await from(1, 60_000)
  await from(2, 60_000)
  const onKafka: System = { ...system, broker }
  return { system: onKafka, bindable, nexts: () => bound.get(bindable)?.map(({ next }) => next), bound }
}

describe('groups are bound to this log', () => {
  it('where its newest events come from, less what was handled in any order; else from the beginning', async () => {
    const { system, bindable, nexts, bound } = await setUp()
    const done = await bindGroups(system, 'known')
    // The second was never said to be any log's, the third is another's: both may have been shared.
    expect(nexts()).toEqual([65_001n, 100n, 100n, 100n])
    const log = await system.eventStore.identity()()
    expect(right(bound.get(bindable)![0]!.mark.log)).toEqual(log)
    expect(done).toMatchObject({ right: { broker: id } })
  })

  it('from the beginning where that is wanted', async () => {
    const { system, nexts } = await setUp()
    await bindGroups(system, 'beginning')
    expect(nexts()).toEqual([100n, 100n, 100n, 100n])
  })

  it('not while a process is at work in them', async () => {
    const { system } = await setUp(true)
    expect(await bindGroups(system, 'known')).toMatchObject({ left: { code: 'in-use' } })
  })

  it('not where they are embedded: they are kept with the topics', async () =>
    expect(await bindGroups(await testSystem(), 'known')).toMatchObject({ left: { code: 'embedded' } }))
})

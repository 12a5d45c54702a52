import type { Logger } from 'pino'
import { errorMessage } from '../../async/errors.ts'
import { clip } from '../../domain/kernel/clip.ts'
import type { BrokenMember, Consumption, RecordBatch } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import { stalledAfterMillis } from './stream-health.ts'

/** A partition that finished nothing for a minute, or that cannot be read: all after its first record waits. */
export interface RestingPartition {
  readonly processor: string
  readonly topic: string
  readonly partition: number
  /** The first record that is not finished. */
  readonly offset: bigint
  /** ISO 8601 UTC. */
  readonly since: string
  /** Why the last attempt ended; absent while the first one hangs. */
  readonly because?: string
}

/** No member of the processor is in its group: all of its partitions wait, unless other processes have them. */
export interface BrokenProcessor extends BrokenMember {
  readonly processor: string
}

/** Watches the deliveries to all processors of this process. */
export interface PartitionWatch {
  /** Does the `work` of a delivery, which returns the first offset that is not finished; `front` returns it meanwhile. */
  watch(delivery: Delivery, work: () => Promise<bigint>): Promise<bigint>
  /** Includes partitions that the processor's member cannot read. */
  add(processor: string, consumption: Pick<Consumption, 'stopped' | 'broken'>): void
  resting(): readonly RestingPartition[]
  /** Processors that receive nothing at all. */
  broken(): readonly BrokenProcessor[]
}

interface Delivery {
  readonly processor: string
  readonly batch: RecordBatch
  /** Aborts when the partition is revoked. */
  readonly signal: AbortSignal
  readonly front: () => bigint
}

interface Watched {
  readonly delivery: Delivery
  offset: bigint
  since: string
  /** The same moment by the monotonic clock. */
  began: number
  because?: string
  warned: boolean
  /** When the work ended, if nothing was finished. */
  ended?: number
}

/** An assigned partition is delivered again within seconds; one that was revoked is another process's to show. */
const forgottenAfterMillis = stalledAfterMillis

export const partitionWatch = ({ clock, log }: { clock: Clock; log: Logger }): PartitionWatch => {
  const watched = new Map<string, Watched>()
  const members = new Map<string, Pick<Consumption, 'stopped' | 'broken'>>()
  const fromNow = () => ({ since: clock.now(), began: clock.monotonic() })

  /** Checked now and then, so that records cost nothing while they are finished. */
  const rests = (one: Watched): boolean => {
    const front = one.delivery.front()
    if (front !== one.offset) Object.assign(one, { offset: front, ...fromNow() })
    return clock.monotonic() - one.began >= stalledAfterMillis
  }

  const warn = (one: Watched) => {
    if (one.warned || !rests(one)) return
    one.warned = true
    log.warn(restingOf(one), 'a partition is stalled: no message has finished for a minute')
  }

  return {
    watch: async (delivery, work) => {
      const { processor, batch, front } = delivery
      if (batch.records.length === 0) return work()
      const place = `${processor}/${batch.topic}/${batch.partition}`
      const offset = front()
      const before = watched.get(place)
      const one: Watched =
        before?.offset === offset
          ? { ...before, delivery }
          : { delivery, offset, ...fromNow(), warned: false }
      delete one.ended
      watched.set(place, one)
      try {
        const next = await work()
        if (next > offset) watched.delete(place)
        return next
      } catch (error) {
        one.because = clip(errorMessage(error), 500)
        throw error
      } finally {
        one.ended = clock.monotonic()
        warn(one)
      }
    },
    add: (processor, consumption) => {
      members.set(processor, consumption)
    },
    broken: () =>
      [...members].flatMap(([processor, member]) => {
        const broken = member.broken?.()
        return broken ? [{ processor, ...broken }] : []
      }),
    resting: () => {
      for (const [place, { delivery, ended }] of watched)
        if (
          delivery.signal.aborted ||
          (ended !== undefined && clock.monotonic() - ended > forgottenAfterMillis)
        )
          watched.delete(place)
      const unread = [...members].flatMap(([processor, member]) =>
        (member.stopped?.() ?? []).map((stop): RestingPartition => ({ processor, ...stop })),
      )
      return [...unread, ...[...watched.values()].filter(rests).map(restingOf)]
    },
  }
}

const restingOf = ({ delivery, offset, since, because }: Watched): RestingPartition => ({
  processor: delivery.processor,
  topic: delivery.batch.topic,
  partition: delivery.batch.partition,
  offset,
  since,
  ...(because !== undefined && { because }),
})

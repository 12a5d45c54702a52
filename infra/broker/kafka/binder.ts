import { isLeft } from 'fp-ts/lib/Either.js'
import type { Admin } from 'kafkajs'
import { type Binding, bindingOf, type LogMark, writeMark } from '../../../src/domain/kernel/group-binding.ts'
import { Away } from '../../../src/ports/away.ts'
import { inWords } from '../../../src/ports/broker-failure.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { type BoundPlace, GroupOfAnotherLog, type OwnLog } from '../../../src/ports/group-binding.ts'
import type { Cluster } from './cluster.ts'
import { isMembershipLost, messageOf } from './errors.ts'
import { type MarkedOffsets, placesOf } from './group-places.ts'
import { topicOffsets } from './list-topics.ts'
import type { Outage } from './log.ts'

/** What a member got, by full names of topics. */
export type Share = Readonly<Record<string, readonly number[]>>

/** Keeps a group with one log. */
export interface Binder {
  /** Beside each commit, and told to whoever shares the partitions. */
  mark(): LogMark | undefined
  /** Rejects with `GroupOfAnotherLog`. Where something is away it says nothing: `bind` is what makes certain. */
  check(): Promise<void>
  /**
   * Resolves when it is certain that the group is this log's, and all of the share says so: nothing may be handled
   * before. What is away is waited for; false when it is over. Rejects with `GroupOfAnotherLog`.
   */
  bind(share: Share, commit: (offsets: MarkedOffsets) => Promise<void>, over: AbortSignal): Promise<boolean>
  /**
   * Who of the members that ask works for the group's log. One log is chosen where the group has none yet: this one. Where
   * something is away it is all of them, for each makes certain for itself.
   */
  admit(marks: ReadonlyMap<string, LogMark | undefined>): Promise<readonly string[]>
}

export interface BinderDependencies {
  readonly group: string
  readonly fullGroup: string
  /** Full names of the topics, and ours. */
  readonly topics: ReadonlyMap<string, string>
  readonly cluster: Pick<Cluster, 'call'>
  readonly ownLog: OwnLog
  readonly clock: Pick<Clock, 'sleep'>
  readonly outage: Outage
}

const pauseMillis = 250
const awayMillis = 1000
/** Others that got partitions bind the group within moments; a member without any need not wait for longer. */
const patience = 40

export const groupBinder = (deps: BinderDependencies): Binder => {
  const { group, fullGroup, topics, cluster, ownLog, clock, outage } = deps
  const call = {
    what: `look where group ${group} stands`,
    grant: `READ on group ${fullGroup} and on its topics`,
  }

  const ask = async <A>(work: (admin: Admin) => Promise<A>): Promise<A> => {
    const answer = await cluster.call(call, work)
    if (isLeft(answer)) throw new Away(inWords(answer.left))
    return answer.right
  }

  const look = async (): Promise<readonly BoundPlace[]> =>
    (await ask((admin) => placesOf(admin, fullGroup))).filter(({ topic }) => topics.has(topic))

  const bindingNow = async (places: readonly BoundPlace[]): Promise<Binding> => {
    const { log } = await ownLog.ask()
    const marks = places.map(({ mark }) => mark)
    const held = new Set<string>()
    for (const mark of marks)
      if (mark?.at && mark.log === log && !held.has(mark.at.event) && (await ownLog.holds(mark.at)))
        held.add(mark.at.event)
    return bindingOf(log, marks, ({ event }) => held.has(event))
  }

  /** True where the group is bound. */
  const standing = async (places: readonly BoundPlace[]): Promise<boolean> => {
    const binding = await bindingNow(places)
    if (binding.kind === 'other-log' || binding.kind === 'other-copy')
      throw new GroupOfAnotherLog(inSentences(group, binding))
    return binding.kind === 'ours'
  }

  /** Offsets of what no place says anything about: where the group stands there, or the first record kept. */
  const unsaid = async (share: Share, places: readonly BoundPlace[]): Promise<MarkedOffsets> => {
    const known = new Map(places.map((place) => [`${place.topic}/${place.partition}`, place]))
    const metadata = textOf(ownLog.newest())
    const loose = Object.entries(share).flatMap(([topic, numbers]) => {
      const partitions = numbers.filter((number) => known.get(`${topic}/${number}`)?.mark === undefined)
      return partitions.length > 0 ? [{ topic, partitions }] : []
    })
    return Promise.all(
      loose.map(async ({ topic, partitions }) => {
        const ends = await ask((admin) => topicOffsets(admin, topic))
        const starts = new Map(ends.map(({ partition, start }) => [partition, start]))
        return {
          topic,
          partitions: partitions.map((partition) => {
            const offset = known.get(`${topic}/${partition}`)?.next ?? starts.get(partition) ?? 0n
            return { partition, offset: `${offset}`, metadata }
          }),
        }
      }),
    )
  }

  const admit: Binder['admit'] = async (marks) => {
    const own = await ownLog.ask()
    const said = (await look()).find(({ mark }) => mark !== undefined)?.mark?.log
    const log = said ?? own.log
    const admitted: string[] = []
    for (const [member, mark] of marks) {
      // Members of older versions do not say for whom they work.
      const isOther = mark !== undefined && mark.log !== log
      const isCopy = mark?.at !== undefined && mark.log === own.log && !(await ownLog.holds(mark.at))
      if (!isOther && !isCopy) admitted.push(member)
    }
    return admitted
  }

  return {
    mark: () => ownLog.newest(),
    check: async () => {
      try {
        await standing(await look())
      } catch (error) {
        if (!(error instanceof Away)) throw error
      }
    },

    bind: async (share, commit, over) => {
      const hasShare = Object.values(share).some((numbers) => numbers.length > 0)
      for (let round = 0; !over.aborted; round++) {
        let pause = pauseMillis
        try {
          const places = await look()
          const isBound = await standing(places)
          const loose = await unsaid(share, places)
          if (loose.length > 0) await commit(loose)
          // What was committed is read again: two of different logs cannot both find nothing but their own.
          else if (isBound || hasShare || round >= patience) return !over.aborted
          if (loose.length > 0) pause = 0
        } catch (error) {
          if (error instanceof GroupOfAnotherLog) throw error
          // Kafka refuses a commit where the group has gone on: then it is over soon, by joining again.
          if (!isMembershipLost(error))
            outage.away(`cannot bind group ${group} to its log: ${messageOf(error)}`)
          pause = awayMillis
        }
        await clock.sleep(pause, over)
      }
      return false
    },

    admit: (marks) =>
      admit(marks).catch((error: unknown) => {
        if (error instanceof Away) return [...marks.keys()]
        throw error
      }),
  }
}

export const textOf = (mark: LogMark | undefined): string | null =>
  mark === undefined ? null : writeMark(mark)

const inSentences = (
  group: string,
  binding: Extract<Binding, { kind: 'other-log' | 'other-copy' }>,
): string => {
  const found =
    binding.kind === 'other-log'
      ? `the consumer group ${group} works for another log (${binding.log}${
          binding.at ? `, last seen at its position ${binding.at.position}` : ''
        }), so this process takes nothing from its topics`
      : `the consumer group ${group} works for a log that holds event ${binding.at.event} (${binding.at.stream} at revision ${binding.at.revision}, position ${binding.at.position}), and this one does not: it is a copy, or was put back from one; this process takes nothing from its topics`
  return (
    `${found}. Should it work for that log? Set FONDS_EVENT_STORE to where that is. Is this an installation of its own? ` +
    'Give it names of its own with FONDS_TOPIC_PREFIX, or another FONDS_BROKER. Should the group work for this log from now ' +
    'on? Stop all processes that use the group, then run `fonds do kafka.bind-groups --actor <you> --reason <why>`'
  )
}

import { oneByOne } from '@fonds/toolbox'
import { plural } from '../../domain/kernel/amounts.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { BatchHandler, BrokerRecord, RecordBatch } from '../../ports/broker.ts'
import type { LeftWork, WorkInProgress } from '../../ports/work-in-progress.ts'
import { deadLetterRecord } from './dead-letter-record.ts'
import type { OutcomeDependencies } from './outcomes.ts'

/*
 * A message that kills its process would kill the next one, too. So a batch is recorded while it is in progress. A
 * batch that was in progress when a process died is handled in ever smaller parts, each recorded by itself, until the
 * message that kills is alone in its part.
 */

export interface MessageDeaths {
  /** The processor's handler, with deaths counted: a message that too many processes died of becomes a dead letter. */
  counted(processor: string, deps: OutcomeDependencies, handle: BatchHandler): BatchHandler
}

interface MessageDeathsOptions {
  readonly workInProgress: Pick<WorkInProgress, 'take' | 'leftOf'>
  /** Number of processes in a row that died with a message alone in progress, after which it becomes a dead letter. */
  readonly maxDeaths: number
}

/** Messages that a process had in progress when it died. */
interface Suspects {
  readonly from: bigint
  readonly to: bigint
  readonly left: LeftWork
}

interface Place {
  /** Kind of its entries in `WorkInProgress`. */
  readonly kind: string
  /**
   * The signal with which `suspects` were read. Another one may be that of another assignment: another process may have
   * had the partition meanwhile. On Kafka each slice of an assignment has one of its own.
   */
  signal: AbortSignal | undefined
  /** When `suspects` were read, by the monotonic clock. */
  readAt: number
  suspects: readonly Suspects[]
}

/** Minimum interval of reads while nothing is found: each reads a folder. */
const pollMillis = SECOND

export const messageDeaths = ({ workInProgress, maxDeaths }: MessageDeathsOptions): MessageDeaths => {
  /**
   * Messages that the next death would turn into dead letters are handled one at a time, so that none is blamed for
   * another.
   */
  const alone = oneByOne()

  const counted: MessageDeaths['counted'] = (processor, deps, handle) => {
    const placeOf = createPlaces(processor, deps)
    const warned = new Set<string>()

    const mustRead = (place: Place, signal: AbortSignal): boolean =>
      place.signal !== signal &&
      (place.suspects.length > 0 || deps.clock.monotonic() - place.readAt >= pollMillis)

    const readSuspects = (place: Place, { topic, partition }: RecordBatch, signal: AbortSignal): void => {
      place.signal = signal
      place.readAt = deps.clock.monotonic()
      place.suspects = workInProgress.leftOf(place.kind).flatMap(suspectsIn)
      for (const { from, to, left } of place.suspects) {
        if (warned.has(left.id)) continue
        warned.add(left.id)
        deps.log.warn(
          { processor, topic, partition, from: String(from), to: String(to) },
          'a process died while it handled these messages; handling them in smaller parts',
        )
      }
    }

    const marked = async (place: Place, batch: RecordBatch, signal: AbortSignal): Promise<bigint> => {
      const release = workInProgress.take(
        place.kind,
        `${batch.records[0]!.offset}-${batch.records.at(-1)!.offset}`,
      )
      try {
        return await handle(batch, signal)
      } finally {
        release()
        // However it ended: the process lives. An unavailable log fails attempts, and processes are killed meanwhile.
        resolve(place, (one) => isOf(one, batch.records))
      }
    }

    const setAside = async (place: Place, record: BrokerRecord, deaths: number): Promise<bigint> => {
      await deadLetterRecord(deps, processor, record, killsProcesses(deaths))
      for (const one of place.suspects) if (isAmong(one, record)) one.left.blame()
      deps.telemetry.count('messages', { processor, outcome: 'dead' })
      return record.offset + 1n
    }

    const handlePart = (place: Place, part: RecordBatch, signal: AbortSignal): Promise<bigint> => {
      const [record] = part.records as [BrokerRecord]
      const isAlone = part.records.length === 1 && place.suspects.some((one) => isAmong(one, record))
      if (!isAlone) return marked(place, part, signal)
      const deaths = place.suspects.filter((one) => isOf(one, part.records)).length
      if (deaths >= maxDeaths) return setAside(place, record, deaths)
      if (deaths < maxDeaths - 1) return marked(place, part, signal)
      return alone(async () => (signal.aborted ? record.offset : marked(place, part, signal)))
    }

    return async (batch, signal) => {
      if (batch.records.length === 0) return handle(batch, signal)
      const place = placeOf(batch)
      if (mustRead(place, signal)) readSuspects(place, batch, signal)
      if (place.suspects.length === 0) return marked(place, batch, signal)
      const part = firstPart(batch, place.suspects)
      const next = await handlePart(place, part, signal)
      resolve(place, ({ to }) => to < next)
      return next
    }
  }
  return { counted }
}

const createPlaces = (processor: string, { broker }: OutcomeDependencies) => {
  const places = new Map<string, Place>()
  return ({ topic, partition }: RecordBatch): Place => {
    const name = `${topic}/${partition}`
    const known = places.get(name)
    if (known) return known
    const kind = `message ${JSON.stringify([processor, broker.id, topic, partition])}`
    const place: Place = { kind, signal: undefined, readAt: -Infinity, suspects: [] }
    places.set(name, place)
    return place
  }
}

const suspectsIn = (left: LeftWork): readonly Suspects[] => {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(left.what) ?? []
  return from && to ? [{ from: BigInt(from), to: BigInt(to), left }] : []
}

const isAmong = ({ from, to }: Suspects, { offset }: BrokerRecord): boolean => from <= offset && offset <= to

/** True if it was in progress alone. */
const isOf = ({ from, to }: Suspects, records: readonly BrokerRecord[]): boolean =>
  records.length === 1 && records[0]!.offset === from && from === to

/** Resolves entries of messages that are done, dead-lettered, or survived. */
const resolve = (place: Place, isOver: (one: Suspects) => boolean): void => {
  const { over = [], left = [] } = Object.groupBy(place.suspects, (one) => (isOver(one) ? 'over' : 'left'))
  for (const one of over) one.left.resolve()
  place.suspects = left
}

/** Factor by which parts shrink with each death: a long batch goes on nearly as fast as ever. */
const narrowing = 8n

/**
 * Returns the next part; the rest is delivered again. Suspects come a few at a time, and alone at last; all records
 * before the first of them together.
 */
const firstPart = (batch: RecordBatch, suspects: readonly Suspects[]): RecordBatch => {
  const { records } = batch
  const { offset } = records[0]!
  const around = narrowest(suspects, records[0]!)
  const last = around && offset + (around.to - around.from) / narrowing
  const next = records.findIndex(
    (record) =>
      (last !== undefined && record.offset > last) || narrowest(suspects, record)?.left !== around?.left,
  )
  return next < 0 ? batch : { ...batch, records: records.slice(0, next) }
}

const narrowest = (suspects: readonly Suspects[], record: BrokerRecord): Suspects | undefined => {
  let found: Suspects | undefined
  for (const one of suspects)
    if (isAmong(one, record) && (!found || one.to - one.from < found.to - found.from)) found = one
  return found
}

const killsProcesses = (deaths: number): InvalidMessage => ({
  reason: 'kills-process',
  message: `${plural(deaths, 'process', 'processes')} in a row died while they handled it; what they logged, or the system (out of memory, a crash), says why: mend that, then retry it`,
})

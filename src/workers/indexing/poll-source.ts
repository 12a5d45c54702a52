import { filesTopic } from '../../domain/indexing/messages.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { addMillis, HOUR } from '../../domain/kernel/time.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import { findNews } from './listing/find-news.ts'
import { findRenamed } from './listing/find-renamed.ts'
import type { Listed } from './listing/listed.ts'
import { byDate, type Sighted } from './listing/sighted.ts'

export interface PollTools {
  readonly broker: Broker
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  readonly policy: Policy
  /** Source of the messages: the poller. */
  readonly source: string
  readonly signal: AbortSignal
  /** Called for each invalid entry of the list. */
  readonly onSkipped: (what: string, reason: string) => void
}

export interface Polled {
  /** Number of files that the list shows. */
  readonly listed: number
  /** Number of listed files with a message on the topic. */
  readonly news: number
  readonly skipped: number
}

/** Time without a change after which a file that its name calls open counts as left. */
const openMillis = 24 * HOUR
const maxLookup = 500
const sentAtOnce = 500
/** Limit of new files held in memory, to be sent most recent first. */
const maxHeld = 50_000

/**
 * Reads a list once, and publishes its news on the topic. Throws if the list or the topic is unavailable: nothing is
 * lost by that.
 */
export const pollSource = async (
  repository: string,
  list: AsyncIterable<Listed>,
  { broker, viewStore, clock, policy, source, signal, onSkipped }: PollTools,
): Promise<Polled> => {
  const polled = { listed: 0, news: 0, skipped: 0 }
  let batch: Sighted[] = []
  let news: Sighted[] = []

  const lookUp = async () => {
    news.push(...findNews(viewStore, repository, batch, policy, clock.now()))
    const renamed = await findRenamed(viewStore, repository, batch)
    batch = []
    const reports = renamed.map(({ name, finished }) => ({
      type: 'file.withdrawn',
      data: { repository, name, reason: `it was renamed to ${finished}` },
    }))
    if (reports.length > 0) await reportOnTopic({ broker, clock }, filesTopic, source, reports)
  }
  const send = async () => {
    const sorted = news.sort(byDate)
    news = []
    for (let from = 0; from < sorted.length; from += sentAtOnce) {
      signal.throwIfAborted()
      const reports = sorted.slice(from, from + sentAtOnce).map(({ name, place, kind }) => ({
        type: 'file.sighted',
        data: { repository, name, ...place, ...(kind && { kind }) },
      }))
      await reportOnTopic({ broker, clock }, filesTopic, source, reports)
      polled.news += reports.length
    }
  }

  for await (const one of list) {
    signal.throwIfAborted()
    const sighted = sightedIn(one)
    if (isBeingWritten(one, clock.now())) continue
    if ('reason' in sighted) {
      polled.skipped++
      onSkipped(sighted.what, sighted.reason)
      continue
    }
    polled.listed++
    batch.push(sighted)
    if (batch.length >= maxLookup) await lookUp()
    if (news.length >= maxHeld) await send()
  }
  await lookUp()
  await send()
  return polled
}

/**
 * True for a file that a harvester is writing. One that was not written to for a day was left by a harvester that
 * crashed: it is listed, and its kind is unknown.
 */
const isBeingWritten = (listed: Listed, now: string): boolean =>
  listed.kind === 'file' &&
  listed.isOpen === true &&
  (listed.place?.modifiedAt ?? now) > addMillis(now, -openMillis)

const sightedIn = (listed: Listed): Sighted | Extract<Listed, { kind: 'skipped' }> => {
  if (listed.kind === 'skipped') return listed
  const { name, place, fileKind } = listed
  return place
    ? { name, place, ...(fileKind && { kind: fileKind }) }
    : { kind: 'skipped', what: name, reason: 'is a name alone: the list must say where the file lies' }
}

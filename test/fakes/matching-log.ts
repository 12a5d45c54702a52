import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import type { System } from '../../src/app/system.ts'
import { ensureTopics } from '../../src/app/topics.ts'
import { orThrow } from '../../src/async/unavailable.ts'
import { graphPublisher } from '../../src/processors/matching/graph-publisher.ts'
import { mergedPublisher } from '../../src/processors/matching/merged-publisher.ts'
import { runSubscription } from '../../src/processors/runtime/leader-subscription.ts'
import { type Catalogue, catalogue } from '../projections/matching/catalogue.ts'

/** Writes the events of a catalogue, or of research, into a log, as they are: what intake, matcher and merger would have written. */
export const writeLog = async (
  { eventStore }: Pick<System, 'eventStore'>,
  { events }: Pick<Catalogue, 'events'>,
): Promise<void> => {
  const places: bigint[] = []
  for (const { stream, type, data, metadata } of events) {
    const event = { id: uuid(), type, data: inPlace(data, places), metadata }
    const written = await eventStore.append(stream, 'any', [event])()
    if (isLeft(written)) throw new Error(JSON.stringify(written.left))
    places.push(written.right.position)
  }
}

/** Puts what the log holds on the topics behind the matcher. */
export const allSent = async (system: System): Promise<void> => {
  await ensureTopics(system)
  const head = await orThrow(system.eventStore.head())
  for (const publisher of [graphPublisher(system), mergedPublisher(system)]) {
    const running = runSubscription(publisher, { ...system, term: { isLeader: () => true, positions: {} } })
    while (running.position() < head) await setImmediate()
    await running.stop()
  }
}

/** Positions of a catalogue count its events; those of a log are its own. */
const inPlace = (data: unknown, places: readonly bigint[]): unknown => {
  const { through } = data as { readonly through?: string }
  return through === undefined
    ? data
    : { ...(data as object), through: String(places[Number(through)] ?? -1n) }
}

/**
 * `herbal` is one with its scan and with a plate that a scan of it names; `gone` is deleted and would join `moss`;
 * `fern` was one with `herbal` once; `nobody` was never described.
 */
export const herbarium = (): Catalogue => {
  const log = catalogue()
  log.say('herbal', { title: 'A herbal', source: 'library', links: ['fern'] })
  log.say('fern', { title: 'Ferns' })
  log.say('scan', { source: 'scans', state: 'invisible', links: ['herbal'], reasons: ['digitised from'] })
  log.say('plate', { source: 'pictures', title: 'Gentian', links: ['scan'], reasons: ['picture of'] })
  log.say('gone', { state: 'deleted', links: ['moss'] })
  log.say('moss', { title: 'Mosses', links: ['nobody'] })
  log.flush()
  log.merge()
  log.say('herbal', { title: 'A herbal', source: 'library' })
  log.flush()
  log.merge(['herbal', 'fern'])
  return log
}

import { hostname } from 'node:os'
import { observationsTopic } from '../../domain/fixity/messages.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import type { Sighting } from './folder-stores.ts'

/** Name of this machine. All its workers see the same folders, so their sightings are equal. */
export const place = hostname()

/** Publishes, with `source` as its source, whether a store is found on this machine. Throws `UnavailableError`. */
export const sightingPublisher =
  (context: { readonly broker: Broker; readonly clock: Clock }, source: string) =>
  async (sighting: Sighting): Promise<void> => {
    const data = { ...sighting, place, observedAt: context.clock.now() }
    await reportOnTopic(context, observationsTopic, source, [{ type: 'store.observed', data }])
  }

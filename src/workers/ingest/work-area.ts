import { systemClock } from '../../async/system-clock.ts'
import type { WorkArea } from '../../domain/ingest/work-area.ts'
import type { IngestSettings } from './ingester-context.ts'
import type { Sites } from './sites.ts'

/** As this process sees it. What looks at the machine is loaded when it is asked: most questions do not. */
export const workAreaOf = (config: IngestSettings): WorkArea => {
  const load = () => import('./ingester-context.ts')
  let sites: Promise<Sites> | undefined
  return {
    thresholdPercent: config.ingestThresholdPercent,
    unknownBytes: config.ingestUnknownBytes,
    recordsElsewhere: config.ingestInventory === 'other',
    sites: async () => {
      sites ??= load().then(({ sitesOf }) => sitesOf({ config, clock: systemClock }))
      return (await sites).here()
    },
    workVolume: async () => (await load()).workVolume(config),
  }
}

import type { WorkArea } from '../../domain/ingest/work-area.ts'
import type { IngestSettings } from './ingester-context.ts'
import type { Sites } from './sites.ts'

/**
 * The work area as this process sees it. Modules that examine the machine are loaded on demand: most requests do not
 * need them.
 */
export const workAreaOf = (config: IngestSettings & { readonly hands: number }): WorkArea => {
  const load = () => import('./ingester-context.ts')
  let sites: Promise<Sites> | undefined
  return {
    thresholdPercent: config.ingestThresholdPercent,
    unknownBytes: config.ingestUnknownBytes,
    recordsElsewhere: config.ingestInventory === 'other',
    atOnce: config.hands,
    sites: async () => {
      sites ??= load().then(({ sitesOf }) => sitesOf(config))
      return (await sites).here()
    },
    workVolume: async () => (await load()).workVolume(config),
    storageVolume: async () => (await load()).storageVolume(config),
  }
}

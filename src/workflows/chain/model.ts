import { category as archiveCategory, archiveEvents } from '../../domain/chain/archive/events.ts'
import { category, dossierEvents, dossierStream } from '../../domain/chain/events.ts'
import { type RuleName, rulesIn } from '../../domain/chain/rules.ts'
import { chain } from '../../projections/chain/projection.ts'
import type { SystemConfig } from '../system/settings.ts'
import type { WorkflowModel } from '../workflow-model.ts'
import type { ChainConfig } from './settings.ts'

/** Rules of the chain that are on. */
export const rulesOn = (config: SystemConfig): readonly RuleName[] =>
  rulesIn((config as Partial<ChainConfig>).chain ?? 'none') ?? []

/** True if a rule of the chain is on. */
export const isOn = (config: SystemConfig): boolean => rulesOn(config).length > 0

export const chainModel: WorkflowModel = {
  name: 'chain',
  description: 'Passes on to other workflows what ingest stored, and shows how far each object has come.',
  topics: [],
  eventSets: [
    { category, events: dossierEvents },
    { category: archiveCategory, events: archiveEvents },
  ],
  projections: [chain],
  isFolded: isOn,
  streamsOf: (id) => [dossierStream(id)],
  premis: async () => (await import('./premis.ts')).chainPremis,
}

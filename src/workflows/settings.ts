import type { ConfigOf, GivenValues } from '../domain/kernel/setting.ts'
import { chainSettings } from './chain/settings.ts'
import { indexingSettings } from './indexing/settings.ts'
import { ingestContradictions, ingestSettings } from './ingest/settings.ts'
import { researchSettings } from './research/settings.ts'
import { systemContradictions } from './system/contradictions.ts'
import { systemSettings } from './system/settings.ts'

/** Settings of all workflows, in the order of the help. */
export const allSettings = {
  ...systemSettings,
  ...researchSettings,
  ...ingestSettings,
  ...indexingSettings,
  ...chainSettings,
}

/** The configuration of a process. */
export type Config = ConfigOf<typeof allSettings>

export { nodeContradictions } from './system/contradictions.ts'

/** Returns contradictions between settings of the archive, a sentence each. */
export const archiveContradictions = (given: GivenValues): readonly string[] => [
  ...systemContradictions(given),
  ...ingestContradictions(given),
]

import type { ConfigOf, GivenValues } from '../domain/kernel/setting.ts'
import { indexingSettings } from './indexing/settings.ts'
import { ingestContradictions, ingestSettings } from './ingest/settings.ts'
import { researchSettings } from './research/settings.ts'
import { systemContradictions } from './system/contradictions.ts'
import { systemSettings } from './system/settings.ts'

/** Of all workflows, in the order of the help. */
export const allSettings = {
  ...systemSettings,
  ...researchSettings,
  ...ingestSettings,
  ...indexingSettings,
}

/** What a process is set to. */
export type Config = ConfigOf<typeof allSettings>

export { nodeContradictions } from './system/contradictions.ts'

/** Settings of the archive that contradict each other, a sentence each. */
export const archiveContradictions = (given: GivenValues): readonly string[] => [
  ...systemContradictions(given),
  ...ingestContradictions(given),
]

import { category, settingsEvents } from '../../domain/kernel/archive-settings.ts'
import { notExported } from '../../domain/kernel/premis.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/** Settings of the archive: every process that opens its log has them. */
export const settingsModel: WorkflowModel = {
  name: 'settings',
  description: 'Settings that are the archive’s, kept in its log.',
  topics: [],
  eventSets: [{ category, events: settingsEvents }],
  projections: [],
  premis: async () => notExported('settings of the archive, and nothing of an object'),
  streamsOf: () => [],
}

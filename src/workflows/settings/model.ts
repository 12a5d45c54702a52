import { category, settingsEvents } from '../../domain/kernel/archive-settings.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/** Settings of the archive: every process that opens its log has them. */
export const settingsModel: WorkflowModel = {
  name: 'settings',
  description: 'Settings that are the archive’s, kept in its log.',
  topics: [],
  eventSets: [{ category, events: settingsEvents }],
  projections: [],
  streamsOf: () => [],
}

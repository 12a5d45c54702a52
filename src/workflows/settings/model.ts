import { category, settingsEvents } from '../../domain/kernel/archive-settings.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/** Settings that are the archive's: all who open its log have them. */
export const settingsModel: WorkflowModel = {
  name: 'settings',
  description: 'Settings that are the archive’s, kept in its log.',
  topics: [],
  eventSets: [{ category, events: settingsEvents }],
  projections: [],
  streamsOf: () => [],
}

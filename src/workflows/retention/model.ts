import { notExported } from '../../domain/kernel/premis.ts'
import { category, retentionEvents } from '../../domain/kernel/retention.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/** For how long events of other programs, and settled records of Fonds' own, stay in the log. */
export const retentionModel: WorkflowModel = {
  name: 'retention',
  description: 'Policies by which events are removed from the log, and what was removed by them.',
  topics: [],
  eventSets: [{ category, events: retentionEvents }],
  projections: [],
  premis: async () => notExported('what is kept of other programs and of messages, and nothing of an object'),
  streamsOf: () => [],
}

import { category, personEvents } from '../../domain/kernel/people.ts'
import { notExported } from '../../domain/kernel/premis.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/** People whom the log has references of: their names and mail addresses are kept outside of it. */
export const peopleModel: WorkflowModel = {
  name: 'people',
  description: 'People, by their references: names and mail addresses are outside of the log.',
  topics: [],
  eventSets: [{ category, events: personEvents }],
  projections: [],
  premis: async () => notExported('who is kept, and nothing of an object'),
  streamsOf: () => [],
}

import { category, earlierEvents, earlierStream } from '../../domain/kernel/earlier-event.ts'
import { exported } from '../../domain/kernel/premis.ts'
import type { WorkflowModel } from '../workflow-model.ts'

/** Events of earlier systems, imported from their PREMIS. They are part of the history of the things that they are about. */
export const premisModel: WorkflowModel = {
  name: 'premis',
  description: 'Events of earlier systems, imported from their PREMIS, with their own time and source.',
  topics: [],
  eventSets: [{ category, events: earlierEvents }],
  projections: [],
  premis: async () => ({
    kind: 'exported',
    mapping: {
      [category]: {
        thing: {
          category: 'intellectualEntity',
          type: 'fonds thing',
          says: 'the thing that it was imported for',
        },
        events: { EarlierEventImported: exported({ field: 'type' }, { time: 'dateTime' }) },
      },
    },
    objects: () => [],
  }),
  streamsOf: (id) => [earlierStream(id)],
}

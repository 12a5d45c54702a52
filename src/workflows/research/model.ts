import { capacityEvents } from '../../domain/research/capacity.ts'
import { clipEvents } from '../../domain/research/clip/events.ts'
import { episodeEvents } from '../../domain/research/episode/events.ts'
import { topics } from '../../domain/research/messages.ts'
import { policyEvents } from '../../domain/research/policy/events.ts'
import { researcherEvents } from '../../domain/research/researcher/events.ts'
import {
  capacityCategory,
  clipCategory,
  clipStream,
  episodeCategory,
  episodeStream,
  policyCategory,
  researcherCategory,
  researcherStream,
} from '../../domain/research/terms.ts'
import { research } from '../../projections/research/projection.ts'
import type { WorkflowModel } from '../workflow-model.ts'
import { mediaAt, mediaPlaces } from './media-places.ts'

export const researchModel: WorkflowModel = {
  name: 'research',
  description: 'Leases clips of episodes to researchers, and keeps what they find.',
  topics,
  eventSets: [
    { category: episodeCategory, events: episodeEvents },
    { category: clipCategory, events: clipEvents },
    { category: researcherCategory, events: researcherEvents },
    { category: policyCategory, events: policyEvents },
    { category: capacityCategory, events: capacityEvents },
  ],
  projections: [research],
  streamsOf: (id) => [episodeStream(id), clipStream(id), researcherStream(id)],
  placesOf: mediaPlaces,
  thingsAt: mediaAt,
}

import { pathToFileURL } from 'node:url'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
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
import { clips, episodes } from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { researchActivity } from '../../projections/research/activity.ts'
import { research } from '../../projections/research/projection.ts'
import { pathOfAddress } from '../path-of-address.ts'
import type { Related, WorkflowModel } from '../workflow-model.ts'

/** Returns the paths of the media of an episode or a clip, unless they are on a server. */
const mediaPlaces = (id: string, viewStore: ViewStore): readonly string[] =>
  [
    ...rowsIfFolded(viewStore, episodes, { where: [is('episode', id)], limit: 1 }),
    ...rowsIfFolded(viewStore, clips, { where: [is('clip', id)], limit: 1 }),
  ].flatMap(({ mediaUri }) => pathOfAddress(mediaUri) ?? [])

const mediaAt = (place: string, viewStore: ViewStore): readonly Related[] => {
  const where = [is('mediaUri', pathToFileURL(place).href)]
  return [
    ...rowsIfFolded(viewStore, episodes, { where }).map(({ episode }) => ({
      id: String(episode),
      says: 'the episode whose recording it is',
    })),
    ...rowsIfFolded(viewStore, clips, { where }).map(({ clip }) => ({
      id: String(clip),
      says: 'the clip whose recording it is',
    })),
  ]
}

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
  activity: researchActivity,
  finders: async () => (await import('../../projections/research/finders.ts')).researchFinders,
  streamsOf: (id) => [episodeStream(id), clipStream(id), researcherStream(id)],
  premis: async () => (await import('./premis.ts')).researchPremis,
  placesOf: mediaPlaces,
  thingsAt: mediaAt,
}

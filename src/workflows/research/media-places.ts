import { pathToFileURL } from 'node:url'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { clips, episodes } from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { pathOfAddress } from '../path-of-address.ts'
import type { Related } from '../workflow-model.ts'

/** Returns the paths of the media of an episode or a clip, unless they are on a server. */
export const mediaPlaces = (id: string, viewStore: ViewStore): readonly string[] =>
  [
    ...rowsIfFolded(viewStore, episodes, { where: [is('episode', id)], limit: 1 }),
    ...rowsIfFolded(viewStore, clips, { where: [is('clip', id)], limit: 1 }),
  ].flatMap(({ mediaUri }) => pathOfAddress(mediaUri) ?? [])

export const mediaAt = (place: string, viewStore: ViewStore): readonly Related[] => {
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

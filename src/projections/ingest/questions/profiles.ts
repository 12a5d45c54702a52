import {
  collectionOf,
  defaultProfile,
  ownerOf,
  type Profile,
} from '../../../domain/ingest/profile/profile.ts'
import { profiles } from '../../../domain/ingest/views.ts'
import { is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { ProfileLine } from './answers.ts'

/** Profiles. The default one exists before anybody sets it. */
export const profileLines = (views: Views, limit: number): readonly ProfileLine[] => {
  const set = rows(views, profiles, { orderBy: [{ column: 'profile' }], limit }).map(({ terms }) =>
    profileLine(terms),
  )
  const isDefaultSet = row(views, profiles, is('profile', defaultProfile.name)) !== undefined
  return (isDefaultSet ? set : [profileLine(defaultProfile), ...set]).slice(0, limit)
}

const profileLine = (profile: Profile): ProfileLine => ({
  profile: profile.name,
  collection: collectionOf(profile),
  owner: ownerOf(profile),
  terms: profile,
})

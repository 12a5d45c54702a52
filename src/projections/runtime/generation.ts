import type { Generation, ViewStore } from '../../ports/view-store.ts'
import type { Projection } from './projection.ts'

/** The live views were made by a newer program: this one must not replace them with older ones. */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion'
}

/**
 * Chooses the generation to fold into: a live one of this version, else one that is being built, else a new one.
 * Without a live one, it is live at once, so that queries have something to read; otherwise queries read the live one
 * until the new one has caught up and is promoted.
 */
export const chooseGeneration = (
  viewStore: ViewStore,
  { name, version, views }: Pick<Projection, 'name' | 'version' | 'views'>,
): Generation => {
  const generations = viewStore.generations().filter(({ projection }) => projection === name)
  const live = generations.find(({ status }) => status === 'live')
  if (live?.version === version) return live
  if (live && live.version > version)
    throw new NewerVersion(
      `the views of ${name} are at version ${live.version}, this program makes version ${version}; run the newer program, or rebuild ${name} with this one`,
    )
  const next = generations.find((each) => each.version === version) ?? viewStore.create(name, version, views)
  if (live) return next
  viewStore.promote(next)
  return { ...next, status: 'live' }
}

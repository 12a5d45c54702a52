import { lstat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isOpenArchive } from '../../../domain/indexing/kind.ts'
import { isRemote } from '../../../domain/indexing/place.ts'
import { files } from '../../../domain/indexing/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Sighted } from './sighted.ts'

/** A file that a harvester left open, and that has its finished name now. */
interface Renamed {
  readonly name: string
  readonly finished: string
}

const openName = (name: string): string => `${name}.open`

/**
 * Finds files left open that were renamed: a list shows the finished name, and nothing is under the open one in that
 * folder. What a list alone lacks is not taken to be gone (W4), and what lies on a server is not looked for.
 */
export const findRenamed = async (
  views: Pick<ViewStore, 'query'>,
  repository: string,
  sighted: readonly Sighted[],
): Promise<readonly Renamed[]> => {
  const finished = new Map(
    sighted
      .filter(({ name, place }) => isOpenArchive(openName(name)) && !isRemote(place.location))
      .map(({ name, place }) => [openName(name), { name, location: openName(place.location) }]),
  )
  if (finished.size === 0) return []
  const left = rowsIfFolded(views, files, {
    where: [
      is('repository', repository),
      { column: 'name', is: 'in', value: [...finished.keys()] },
      is('state', 'unknown'),
    ],
  })
  const renamed: Renamed[] = []
  for (const { name, location } of left) {
    const one = finished.get(name)
    if (one && one.location === location && (await isAbsent(location)))
      renamed.push({ name, finished: one.name })
  }
  return renamed
}

const isAbsent = (location: string): Promise<boolean> =>
  lstat(location.startsWith('file:') ? fileURLToPath(location) : location).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )

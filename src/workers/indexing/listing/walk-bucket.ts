import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { FileName, Location } from '../../../domain/indexing/file.ts'
import { isOpenArchive, isUnfinished } from '../../../domain/indexing/kind.ts'
import { decode } from '../../../domain/kernel/codecs.ts'
import type { ContentEntry, ContentStore } from '../../../ports/content-store.ts'
import type { Listed } from './listed.ts'

/**
 * Lists the objects below `s3://bucket/prefix`, leaving out what `walkFolder` leaves out. Throws if the listing breaks
 * off, or cannot begin.
 */
export async function* walkBucket(root: string, store: ContentStore): AsyncGenerator<Listed> {
  const base = root.replace(/\/$/, '')
  for await (const listed of store.list()) {
    if (listed.kind === 'entry') {
      if (!isLeftOut(listed.entry.path)) yield objectAt(`${base}/${listed.entry.path}`, listed.entry)
      continue
    }
    const { path, reason, mayBeContent } = listed.skipped
    // The root itself: the rest of the listing is missing.
    if (mayBeContent && (path === '' || path === '.')) throw new Error(reason)
    if (mayBeContent) yield { kind: 'skipped', what: `${base}/${path}`, reason }
  }
}

const isLeftOut = (path: string): boolean => {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return folders.some(isUnfinished) || (isUnfinished(name) && !isOpenArchive(name))
}

const objectAt = (location: string, { size, modifiedAt }: ContentEntry): Listed => {
  const name = location.slice(location.lastIndexOf('/') + 1)
  return pipe(
    decode(FileName, name),
    E.chainFirst(() => decode(Location, location)),
    E.match(
      (reason): Listed => ({ kind: 'skipped', what: location, reason }),
      (name): Listed => ({
        kind: 'file',
        name,
        place: { location, size, modifiedAt },
        fileKind: undefined,
        ...(isOpenArchive(name) && { isOpen: true }),
      }),
    ),
  )
}

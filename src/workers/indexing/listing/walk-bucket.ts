import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isListed } from '../../../domain/indexing/bucket-events.ts'
import { FileName, Location } from '../../../domain/indexing/file.ts'
import { isOpenArchive } from '../../../domain/indexing/kind.ts'
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
      if (isListed(listed.entry.path)) yield objectAt(`${base}/${listed.entry.path}`, listed.entry)
      continue
    }
    const { path, reason, mayBeContent } = listed.skipped
    // The root itself: the rest of the listing is missing.
    if (mayBeContent && (path === '' || path === '.')) throw new Error(reason)
    if (mayBeContent) yield { kind: 'skipped', what: `${base}/${path}`, reason }
  }
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
        // By the second, as an object itself has it: some servers list it finer.
        place: { location, size, modifiedAt: `${modifiedAt.slice(0, 19)}.000Z` },
        fileKind: undefined,
        ...(isOpenArchive(name) && { isOpen: true }),
      }),
    ),
  )
}

import { orThrow } from '../../async/unavailable.ts'
import { addListed, type Listed } from '../../domain/chain/handing-over.ts'
import { type IngestObjectEvent, ingestObjects } from '../../domain/chain/inputs.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'

const pageSize = 100

export type VersionRead = Extract<IngestObjectEvent, { type: 'VersionStored' | 'VersionAdopted' }>
type Listing = Extract<IngestObjectEvent, { type: 'FilesListed' | 'FilesAdopted' }>

/**
 * Files of a version as its event lists them, and those that were listed before it, if there are so many. Throws
 * `UnavailableError`.
 */
export const listedFiles = async (
  event: RecordedEvent,
  read: VersionRead,
  { eventStore }: { readonly eventStore: Pick<EventStore, 'read'> },
): Promise<Listed> => {
  const found: Parameters<typeof addListed>[0] = new Map()
  const { files, listed } = read.data
  if (listed.length < files)
    for await (const earlier of before(event, eventStore))
      if (isOfVersion(earlier, read)) addListed(found, earlier.data.files)
  addListed(found, listed)
  return found
}

/** Listings of the object's stream up to an event. Its other events are none of the chain's. */
async function* before(
  { stream, revision }: RecordedEvent,
  eventStore: Pick<EventStore, 'read'>,
): AsyncGenerator<Listing> {
  for (let from = 0n; from < revision; ) {
    const page = await orThrow(eventStore.read(stream, from, 'forward', pageSize))
    for (const event of page) {
      if (event.revision >= revision) return
      if (event.type !== 'FilesListed' && event.type !== 'FilesAdopted') continue
      const read = readOrStop(ingestObjects, event)
      if (read.type === 'FilesListed' || read.type === 'FilesAdopted') yield read
    }
    const last = page.at(-1)
    if (!last) return
    from = last.revision + 1n
  }
}

/** A listing that was given up may say otherwise: only that of the job that stored the version counts. */
const isOfVersion = (listing: Listing, read: VersionRead): boolean => {
  if (listing.data.version !== read.data.version) return false
  if (read.type === 'VersionAdopted') return listing.type === 'FilesAdopted'
  return (
    listing.type === 'FilesListed' &&
    listing.data.job === read.data.job &&
    listing.data.fence === read.data.fence
  )
}

import type { Validators } from '@fonds/download'
import { DownloadFailure } from '@fonds/download'
import { download, openPart, type Part } from '@fonds/download/http'
import { NoRoom } from '../../../async/machine-failure.ts'
import { createSemaphore } from '../../../async/semaphore.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { isBucketAddress } from '../../../domain/kernel/bucket-address.ts'
import { downloadFromBucket } from '../../buckets/download.ts'
import { createHttpClient } from '../../http/http-client.ts'
import { withoutRoom } from '../../http/without-room.ts'
import { createRooms } from '../../runtime/room.ts'
import { askedForMedia } from './allowed-hosts.ts'
import type { Wanted } from './cache-entry.ts'
import type { MediaFile } from './media-file.ts'
import type { RecordingsSettings } from './recordings-options.ts'

/** A request for media on a server, or in a bucket. */
interface Asked extends Wanted {
  /** Key of the cache: names the partial download. */
  readonly key: string
  /** Validators of the cached copy. */
  readonly known: Validators | undefined
}

interface RemoteMedia {
  /**
   * Downloads the media for `use`; returns 'same' if the known validators are still current. A download that broke off
   * is left for the next call. Throws `DownloadFailure`, `NoRoom`, the reason of the signal, and what `use` throws.
   */
  fetch<A>(asked: Asked, context: TaskContext, use: (file: MediaFile) => Promise<A>): Promise<A | 'same'>
  close(): Promise<void>
}

export const createRemoteMedia = (settings: RecordingsSettings): RemoteMedia => {
  const { folder, hosts, buckets, openBucket, stallMillis, roomPercent } = settings
  const rooms = createRooms(roomPercent)
  const client = createHttpClient({ stallMillis })
  const downloading = createSemaphore(settings.downloads)
  const reach = { open: openBucket, folders: buckets, setting: 'FONDS_MEDIA_FOLDERS' }

  return {
    fetch: async ({ uri, publicOnly, key, known }, context, use) => {
      const fromServer = { ...settings, client, allowed: askedForMedia(hosts, publicOnly) }
      const takeRoom = rooms.writer(folder)
      const part = await openPart({ folder, key, uri, staleMillis: 2 * stallMillis }, takeRoom)
      let isLeft = false
      try {
        const outcome = await downloading.run(context, (turn) =>
          isBucketAddress(uri)
            ? downloadFromBucket(uri, part, known, { ...settings, reach, takeRoom }, turn)
            : download(uri, part, known, { ...fromServer, takeRoom }, turn),
        )
        return outcome === 'same' ? outcome : await use(fileOf(part))
      } catch (error) {
        isLeft = context.signal.aborted || error instanceof DownloadFailure
        if (!(error instanceof NoRoom)) throw error
        const { isKept, failure } = await withoutRoom(error, part, { uri, folder, rooms })
        isLeft = isKept
        throw failure
      } finally {
        await (isLeft ? part.leave() : part.discard())
      }
    },
    close: client.close,
  }
}

const fileOf = (part: Part): MediaFile => {
  const { etag, lastModified } = part.representation
  return {
    handle: part.handle,
    bytes: part.size,
    hash: part.hash(),
    validators: { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) },
  }
}

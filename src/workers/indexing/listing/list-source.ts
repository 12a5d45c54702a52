import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { textLines } from '@fonds/bytes'
import { type HttpClient, PermanentFailure } from '@fonds/download'
import { type AllowedHosts, request, undone } from '@fonds/download/http'
import { isBucketAddress } from '../../../domain/kernel/bucket-address.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import { readListLine } from './list-line.ts'
import type { Listed } from './listed.ts'
import { walkBucket } from './walk-bucket.ts'
import { walkFolder } from './walk-folder.ts'

/** Validators of a list: a server that gets them need not send a list that did not change. */
export interface ListVersion {
  readonly etag?: string
  readonly lastModified?: string
}

interface SourceOptions {
  /** Opens the content of a bucket. */
  readonly openContent: (root: string) => ContentStore
  readonly client: HttpClient
  readonly signal: AbortSignal
  /** Validators of the list when it was last read to its end. */
  readonly known?: ListVersion | undefined
  /** Called with the validators at the end of a list over HTTP. */
  readonly onVersion?: (version: ListVersion) => void
}

/** The operator configures the address. */
const anyHost: AllowedHosts = { hosts: undefined, content: 'lists', setting: 'FONDS_INDEXING_SOURCES' }

/**
 * Lists the files of a folder's tree, the objects below a bucket's prefix, or the lines of a list: a file, or a URL. An unchanged list yields nothing.
 * Throws if it cannot be read: what it yielded before is valid all the same.
 */
export async function* listSource(location: string, options: SourceOptions): AsyncGenerator<Listed> {
  if (/^https?:/.test(location)) return yield* listOverHttp(location, options)
  if (isBucketAddress(location)) return yield* walkBucket(location, options.openContent(location))
  const path = location.startsWith('file:') ? fileURLToPath(location) : location
  if ((await stat(path)).isDirectory()) yield* walkFolder(path)
  else yield* readList(createReadStream(path))
}

async function* listOverHttp(
  address: string,
  { client, signal, known, onVersion }: SourceOptions,
): AsyncGenerator<Listed> {
  const headers = {
    ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
  }
  await using answer = await request(client, address, anyHost, headers, { signal, begun: () => {} })
  if (answer.status === 304) return
  if (answer.status !== 200) throw new Error(`${address} answers with status ${answer.status}, not 200`)
  try {
    yield* readList(undone(answer))
  } catch (error) {
    if (error instanceof PermanentFailure) throw new Error(`${address} ${error.message}`, { cause: error })
    throw error
  }
  const [etag, lastModified] = [answer.headers.get('etag'), answer.headers.get('last-modified')]
  onVersion?.({ ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) })
}

async function* readList(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Listed> {
  for await (const { number, text } of textLines(bytes)) {
    const listed =
      text === undefined
        ? ({ kind: 'skipped', what: `line ${number}`, reason: 'is too long, or no UTF-8' } as const)
        : readListLine(text)
    if (listed) yield listed
  }
}

import { orThrow } from '../../../async/unavailable.ts'
import type { UploadArea } from '../../../ports/upload-area.ts'
import { digestsIn, listFile } from './upload-list.ts'

type Digests = ReadonlyMap<string, string>

/**
 * Returns the SHA-256, in hex, of all uploaded files below an address, by their path below it; undefined for an address
 * of anything else.
 */
export type AnnouncedDigests = (url: string) => Promise<Digests | undefined>

/**
 * Digests that depositors announced of what they uploaded to the bucket of the storage, by the list of each batch: the
 * jobs compare them (ingest I27). Throws `UnavailableError`.
 */
export const announcedDigests = (openArea: () => Promise<UploadArea | undefined>): AnnouncedDigests => {
  // A batch has many jobs, and its list may have 10,000 files.
  let last: { readonly batch: string; readonly digests: Promise<Digests | undefined> } | undefined
  return async (url) => {
    if (!url.startsWith('s3://')) return undefined
    const area = await openArea()
    const place = area && url.startsWith(area.address) ? url.slice(area.address.length) : undefined
    const [, batch, below] = place?.match(/^([^/]+)\/[^/]+\/(.*)$/s) ?? []
    if (!area || batch === undefined || below === undefined) return undefined
    if (last?.batch !== batch) {
      const digests = digestsOf(area, batch)
      last = { batch, digests }
      digests.catch(() => {
        if (last?.digests === digests) last = undefined
      })
    }
    const digests = await last!.digests
    if (below === '' || digests === undefined) return digests
    const folder = below.endsWith('/') ? below : `${below}/`
    return new Map(
      [...digests].flatMap(([path, sha256]) =>
        path.startsWith(folder) ? [[path.slice(folder.length), sha256] as const] : [],
      ),
    )
  }
}

const digestsOf = async (area: UploadArea, batch: string): Promise<Digests | undefined> => {
  const text = await orThrow(area.text(listFile(batch)))
  return text === undefined ? undefined : digestsIn(text, area.address + listFile(batch))
}

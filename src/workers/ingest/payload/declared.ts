import type { CheckmFile } from '@fonds/bag'
import type { DeclaredFile } from '../../../domain/ingest/payload.ts'
import { clip } from '../../../domain/kernel/clip.ts'

const most = { mimeType: 255, lastModified: 64 }

/** Metadata from a row, kept for later description of the file; undefined if it has none. */
export const declaredOf = ({ digest, mimeType, lastModified }: CheckmFile): DeclaredFile | undefined => {
  if (digest === undefined && mimeType === undefined && lastModified === undefined) return undefined
  return {
    ...(mimeType !== undefined && { mimeType: clip(mimeType, most.mimeType) }),
    ...(lastModified !== undefined && { lastModified: clip(lastModified, most.lastModified) }),
    ...(digest && { digests: { [digest.algorithm]: digest.value } }),
  }
}

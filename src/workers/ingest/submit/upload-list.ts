import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { NonNegativeInteger, Text } from '../../../domain/kernel/codecs.ts'
import type { UploadArea } from '../../../ports/upload-area.ts'

/* The list of the files of a batch that were uploaded: the first upload that is complete leaves its own. */

export const listFile = (batch: string): string => `${batch}/upload.json`

const List = t.type({
  upload: Text,
  files: t.array(t.type({ path: Text, size: NonNegativeInteger, sha256: Text })),
})
type List = t.TypeOf<typeof List>

interface Uploaded {
  readonly batch: string
  readonly upload: string
  /** May grow until they are kept. */
  readonly files: List['files']
}

export const uploadList = (area: UploadArea, { batch, upload, files }: Uploaded) => {
  // The same upload with other files is another wish: jobs go by the list that is kept.
  const holdsThese = (text: string): boolean =>
    sorted(listIn(text, area.address + listFile(batch)).files) === sorted(files)
  return {
    /** False: the batch has other files. */
    keep: async (): Promise<boolean> => {
      const list = List.encode({
        upload,
        files: files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
      })
      return holdsThese(await orThrow(area.keepFirst(listFile(batch), JSON.stringify(list))))
    },
    isRepeat: async (): Promise<boolean> => {
      const kept = await orThrow(area.text(listFile(batch)))
      return kept === undefined || holdsThese(kept)
    },
  }
}

const listIn = (text: string, address: string): List => {
  const list = List.decode(parsed(text))
  if (isLeft(list)) throw new UnavailableError(`${address} is no list of uploaded files; remove it`)
  return list.right
}

/** Digests of the listed files, by path. Throws `UnavailableError` for a text that is no list. */
export const digestsIn = (text: string, address: string): ReadonlyMap<string, string> =>
  new Map(listIn(text, address).files.map(({ path, sha256 }) => [path, sha256]))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sorted = (files: List['files']): string =>
  JSON.stringify(files.map(({ path, size, sha256 }) => [path, size, sha256].join('\0')).toSorted())

/** Reads the file, and returns a digest of it in hex. */
export const digestInArea = async (
  area: UploadArea,
  path: string,
  algorithm: DigestAlgorithm,
): Promise<string> => {
  const digests = await createDigests([algorithm])
  await orThrow(area.read(path, (chunk) => digests.update(chunk)))
  return digests.end().get(algorithm)!
}

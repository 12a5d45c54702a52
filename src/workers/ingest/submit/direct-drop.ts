import { isLeft } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../async/side-by-side.ts'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import type { UploadArea, UploadOffer } from '../../../ports/upload-area.ts'
import { quoted } from '../files/file-name.ts'
import { failUnlessName, UnusableContent } from '../files/write-file.ts'
import { countingUpTo, type Drop, type DropLimits } from './drop.ts'
import { createNames } from './names.ts'
import { uploadList } from './upload-list.ts'

/*
 * Files that a depositor's client writes to the bucket itself: it is offered addresses to write to, and says when it is
 * done. They lie where those lie that come through a node: `<batch>/<upload>/<path>`.
 */

export interface AnnouncedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

export interface DirectUpload {
  readonly batch: string
  readonly upload: string
}

/** Requests about files of an upload at once. */
const filesAtOnce = 16

/** Bytes of a key in S3. */
const maxKeyBytes = 1024

/** Throws `UnusableContent`, `DropTooLarge` and `UnavailableError`. */
export const offerFiles = async (
  area: UploadArea,
  { batch, upload }: DirectUpload,
  files: readonly AnnouncedFile[],
  limits: DropLimits,
  seconds: number,
): Promise<readonly (UploadOffer & { readonly path: string })[]> => {
  const folder = `${batch}/${upload}`
  failUnlessUsable(files, limits, maxKeyBytes - Buffer.byteLength(`${area.address}${folder}/`))
  const offers = new Map<string, UploadOffer>()
  await sideBySide(files, filesAtOnce, async ({ path, size, sha256 }) => {
    const offered = await area.offer(`${folder}/${path}`, { size, sha256 }, seconds)()
    if (isLeft(offered)) {
      if (offered.left.kind === 'Unavailable') throw new UnavailableError(offered.left.reason)
      throw new UnusableContent(`the bucket does not take the name ${quoted(path)}: ${offered.left.reason}`)
    }
    offers.set(path, offered.right)
  })
  return files.map(({ path }) => ({ path, ...offers.get(path)! }))
}

const failUnlessUsable = (files: readonly AnnouncedFile[], limits: DropLimits, spare: number): void => {
  const counted = countingUpTo(limits)
  const names = createNames()
  for (const { path, size } of files) {
    counted.file()
    counted.bytes(size)
    failUnlessName(path)
    names.take(path)
    if (Buffer.byteLength(path) > spare)
      throw new UnusableContent(
        `the name ${quoted(path)} has more than ${spare} bytes, which no bucket takes`,
      )
  }
}

export interface WrittenByClient extends AnnouncedFile {
  /** Absent: one request wrote the file. */
  readonly uploadId?: string
  /** ETags of its parts, in their order. */
  readonly etags?: readonly string[]
}

/**
 * The files of an upload: their parts are joined, their sizes are as announced, and the digests that the bucket has of
 * them. No file is read: jobs compare the other digests, which the list of the files keeps. Throws `UnusableContent`,
 * `DropTooLarge` and `UnavailableError`.
 */
export const completeDrop = async (
  area: UploadArea,
  { batch, upload }: DirectUpload,
  given: readonly WrittenByClient[],
  limits: DropLimits,
): Promise<Drop> => {
  const folder = `${batch}/${upload}`
  failUnlessUsable(given, limits, maxKeyBytes)
  await sideBySide(given, filesAtOnce, (file) => completeFile(area, folder, file))
  const files = given.map(({ path, size, sha256: announced }) => {
    const sha256 = announced.toLowerCase()
    return { path, size, sha256, digests: new Map([['sha256', sha256] as const]) }
  })
  const list = uploadList(area, { batch, upload, files })
  return {
    files,
    addressOf: (path) => `${area.address}${folder}/${path}`,
    write: () => Promise.reject(new Error('the client has written the files')),
    digest: async ({ digests }, algorithm) => digests.get(algorithm),
    keep: list.keep,
    isRepeat: list.isRepeat,
    // A refused upload may be put right, and is removed as abandoned else.
    [Symbol.asyncDispose]: async () => {},
  }
}

const completeFile = async (
  area: UploadArea,
  folder: string,
  { path, size, sha256, uploadId, etags = [] }: WrittenByClient,
): Promise<void> => {
  const place = `${folder}/${path}`
  if (uploadId !== undefined) {
    const parts = etags.map((etag, i) => ({ number: i + 1, etag: etag.replaceAll('"', '') }))
    const completed = await area.complete(place, uploadId, parts)()
    if (isLeft(completed)) {
      if (completed.left.kind === 'Unavailable') throw new UnavailableError(completed.left.reason)
      throw new UnusableContent(`the parts of ${quoted(path)} are not all there: ${completed.left.reason}`)
    }
  }
  const found = await orThrow(area.stat(place))
  if (!found) throw new UnusableContent(`${quoted(path)} is not there; PUT it to the address that was given`)
  if (found.size !== size)
    throw new UnusableContent(`${quoted(path)} has ${found.size} bytes; ${size} were announced`)
  if (found.sha256 !== undefined && found.sha256 !== sha256.toLowerCase())
    throw new UnusableContent(`${quoted(path)} has the SHA-256 ${found.sha256}; ${sha256} was announced`)
}

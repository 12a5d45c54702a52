import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sniff } from '@fonds/sound/sniff'
import { makeFolder } from '@fonds/toolbox/disk'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { TakeRoom } from '../../runtime/room.ts'
import { audioTypes } from './audio-types.ts'
import { readerOf } from './read-at.ts'

export interface Upload {
  /** URL of the stored file, as a curator names it. */
  readonly mediaUri: string
  readonly mediaType: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

interface UploadRules {
  readonly maxBytes: number
  readonly takeRoom: TakeRoom
  /** Returns why the sound may not be stored at that URL; undefined if it may. */
  readonly mayKeep: (mediaUri: string) => NotKept | undefined
}

export interface NotKept {
  readonly code: 'too-large' | 'no-sound' | 'known-clip'
  readonly message: string
}

/**
 * Stores an upload in the folder, named by its digest: the same bytes twice are one file. Leaves nothing of an upload
 * that is too large, is no sound, is rejected by `mayKeep`, has no room (`NoRoom`), or breaks off, for which it throws
 * what the body throws.
 */
export const keepUpload = async (
  folder: string,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, takeRoom, mayKeep }: UploadRules,
): Promise<Either<NotKept, Upload>> => {
  await makeFolder(folder, 0o700)
  const part = join(folder, `${randomUUID()}.part`)
  try {
    await using file = await open(part, 'wx+', 0o600)
    const digest = createHash('sha256')
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > maxBytes)
        return left({ code: 'too-large', message: `a clip has at most ${maxBytes} bytes; cut it shorter` })
      const room = takeRoom(chunk.byteLength)
      if (room) await room
      digest.update(chunk)
      await file.writeFile(chunk)
    }
    const sniffed = await sniff(readerOf(file.fd))
    if ('instead' in sniffed)
      return left({
        code: 'no-sound',
        message: `the body is ${sniffed.instead}; send mp3, mp2, wav, flac or ogg`,
      })
    await file.sync()
    const sha256 = digest.digest('hex')
    const path = join(folder, `${sha256}.${sniffed.kind}`)
    const mediaUri = pathToFileURL(path).href
    const refused = mayKeep(mediaUri)
    if (refused) return left(refused)
    await rename(part, path)
    return right({ mediaUri, mediaType: audioTypes[sniffed.kind], bytes, sha256 })
  } finally {
    await rm(part, { force: true })
  }
}

import { Readable } from 'node:stream'
import { sniff } from '@fonds/sound/sniff'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { fileAnswer } from '../../http/serving/file-answer.ts'
import { servedFrom } from '../../http/serving/open-file.ts'
import { MediaFailure } from '../recording.ts'
import { audioTypes } from './audio-types.ts'
import { openLocal } from './local.ts'
import { readerOf } from './read-at.ts'
import type { MediaRequest, NotServed, ServedMedia } from './served-media.ts'

/** Serves a recording on this disk, in one of the folders, if there are any. */
export const serveLocal = async (
  uri: string,
  { method, headers: asked }: MediaRequest,
  folders: readonly string[] | undefined,
): Promise<Either<NotServed, ServedMedia>> => {
  try {
    const { handle } = await openLocal(uri, folders)
    let isTaken = false
    try {
      const sniffed = await sniff(readerOf(handle.fd))
      if ('instead' in sniffed)
        return left({ code: 'unreadable-media', message: `${uri} is ${sniffed.instead}` })
      const file = servedFrom(handle, await handle.stat({ bigint: true }))
      const { status, headers, range } = fileAnswer(asked, file)
      isTaken = range !== undefined && method !== 'HEAD'
      // A stream: for a body in memory, the server would set its own content length.
      const body = isTaken && range ? file.bytes(range) : Readable.from([])
      return right({ status, contentType: audioTypes[sniffed.kind], headers, body })
    } finally {
      if (!isTaken) await handle.close()
    }
  } catch (error) {
    if (error instanceof MediaFailure) return left({ code: 'unreadable-media', message: error.message })
    throw error
  }
}

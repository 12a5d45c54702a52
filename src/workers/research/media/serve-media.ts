import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { fileAnswer } from '../../http/serving/file-answer.ts'
import { servedFrom } from '../../http/serving/open-file.ts'
import { MediaFailure } from '../recording.ts'
import { audioTypes } from './audio-types.ts'
import { isLocal, openLocal } from './local.ts'
import { sniff } from './sniff.ts'

interface MediaRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Absent: any. */
  readonly folders?: readonly string[]
}

interface ServedMedia {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

interface NotServed {
  readonly code: 'elsewhere' | 'unreadable-media'
  readonly message: string
}

/**
 * Answers GET or HEAD of a recording on this disk, or of a range of its bytes. Whoever curates says where a file lies: what is no
 * sound is not given away.
 */
export const serveMedia = async (
  uri: string,
  { method, headers: asked, folders }: MediaRequest,
): Promise<Either<NotServed, ServedMedia>> => {
  if (!isLocal(uri))
    return left({
      code: 'elsewhere',
      message: `it is at ${uri}, and Fonds does not pass on what is on other servers; play it there`,
    })
  try {
    const { handle } = await openLocal(uri, folders)
    let isTaken = false
    try {
      const sniffed = await sniff(handle.fd)
      if ('instead' in sniffed)
        return left({ code: 'unreadable-media', message: `${uri} is ${sniffed.instead}` })
      const file = servedFrom(handle, await handle.stat({ bigint: true }))
      const { status, headers, range } = fileAnswer(asked, file)
      isTaken = range !== undefined && method !== 'HEAD'
      // A stream: of a body that is there, the server would count the length anew.
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

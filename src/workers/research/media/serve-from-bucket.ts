import { Readable } from 'node:stream'
import { DownloadFailure } from '@fonds/download'
import { type AudioKind, sniff } from '@fonds/sound/sniff'
import { recentCache } from '@fonds/toolbox'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { ContentEntry, ContentFailure } from '../../../ports/content-store.ts'
import {
  type BucketFile,
  type BucketReach,
  bucketFile,
  readBucketBytes,
  whyArchived,
} from '../../buckets/bucket-file.ts'
import { fileAnswer } from '../../http/serving/file-answer.ts'
import { servedContent, whyUnread } from '../../http/serving/served-content.ts'
import { audioTypes } from './audio-types.ts'
import type { MediaRequest, NotServed, ServedMedia } from './served-media.ts'

/** Serves a recording in a bucket by ranges, of the version that its headers describe. */
export const serveFromBucket = async (
  uri: string,
  { method, headers: asked }: MediaRequest,
  reach: BucketReach,
): Promise<Either<NotServed, ServedMedia>> => {
  try {
    const file = bucketFile(uri, reach)
    const found = await file.store.stat(file.path)()
    if (isLeft(found)) throw new Unread(found.left)
    const entry = found.right
    const archived = whyArchived(uri, entry)
    if (archived !== undefined) return unreadable(archived)
    const sound = await soundIn(uri, file, entry)
    if (isLeft(sound)) return unreadable(`${uri} is ${sound.left}`)
    const content = servedContent(uri, file.store, entry)
    const { status, headers, range } = fileAnswer(asked, content)
    const body = range && method !== 'HEAD' ? content.bytes(range) : Readable.from([])
    return right({ status, contentType: audioTypes[sound.right], headers, body })
  } catch (error) {
    if (error instanceof DownloadFailure) return unreadable(error.message)
    if (!(error instanceof Unread)) throw error
    const { failure } = error
    const isTheirNo = failure.kind === 'NotFound' || failure.kind === 'Refused'
    return left({ code: isTheirNo ? 'unreadable-media' : 'media-server', message: whyUnread(uri, failure) })
  }
}

const unreadable = (message: string): Either<NotServed, never> => left({ code: 'unreadable-media', message })

/** Carries a failure out of a sniffer. */
class Unread extends Error {
  readonly failure: ContentFailure

  constructor(failure: ContentFailure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** Versions whose kind is known: a player requests many ranges of one recording. */
const known = recentCache<AudioKind>(1000)

/** Left: continues "is". Throws `Unread`. */
const soundIn = async (
  uri: string,
  file: BucketFile,
  { version }: ContentEntry,
): Promise<Either<string, AudioKind>> => {
  const key = JSON.stringify([uri, version])
  const before = known.get(key)
  if (before) return right(before)
  const sniffed = await sniff(async (length, position) => {
    const read = await readBucketBytes(file, { version, from: position, to: position + length })()
    if (isLeft(read)) throw new Unread(read.left)
    return read.right
  })
  if ('instead' in sniffed) return left(sniffed.instead)
  known.set(key, sniffed.kind)
  return right(sniffed.kind)
}

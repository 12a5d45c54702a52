import type { Dispatcher } from 'undici'
import { systemClock } from '../../src/async/system-clock.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { drain } from './answer.ts'
import { type CredentialSource, credentialChain } from './credentials.ts'
import { deleteObject, deleteObjects } from './delete.ts'
import { directRequests } from './direct/requests.ts'
import { listObjects } from './list.ts'
import { abortUpload, completeUpload, createUpload, uploadPart } from './multipart.ts'
import { createPresign, type Presign } from './presign.ts'
import { getObject, headObject } from './read.ts'
import { restoreObject } from './restore.ts'
import { createSender, type Send } from './sender.ts'
import type { S3Settings } from './settings.ts'
import { openUploads } from './uploads.ts'
import { listVersions } from './versions.ts'
import { putObject } from './write.ts'

type Rest<F> = F extends (send: Send, ...rest: infer A) => infer R ? (...rest: A) => R : never
type RestBut<F> = F extends (send: Send, checksums: never, ...rest: infer A) => infer R
  ? (...rest: A) => R
  : never

/** One bucket. All failures are `S3Error`; a signal that aborts throws its reason. */
export interface S3Bucket {
  readonly name: string
  readonly list: Rest<typeof listObjects>
  readonly versions: Rest<typeof listVersions>
  readonly head: Rest<typeof headObject>
  readonly get: Rest<typeof getObject>
  readonly put: RestBut<typeof putObject>
  readonly createUpload: RestBut<typeof createUpload>
  readonly uploadPart: RestBut<typeof uploadPart>
  readonly completeUpload: Rest<typeof completeUpload>
  readonly abortUpload: Rest<typeof abortUpload>
  readonly uploads: Rest<typeof openUploads>
  readonly delete: Rest<typeof deleteObject>
  readonly deleteAll: Rest<typeof deleteObjects>
  readonly restore: Rest<typeof restoreObject>
  /** Asks whether the bucket is there and may be used. Throws `S3Error`: `HTTP404`, `HTTP403` … */
  check(signal?: AbortSignal): Promise<void>
  /** Returns an address at which anybody may PUT bytes of one size, until it expires. */
  readonly presignPut: Presign
  /** Any other request, signed and retried as these are. */
  readonly send: Send
  /** Ends its connections. */
  close(): Promise<void>
}

interface BucketParts {
  readonly credentials?: CredentialSource
  readonly clock?: Clock
}

/** Opens a bucket: nothing is asked of the server yet. */
export const openBucket = (name: string, settings: S3Settings = {}, parts: BucketParts = {}): S3Bucket => {
  // undici takes 80 ms of processor to load: a thread that only reads does without.
  let connections: Promise<Dispatcher> | undefined
  const connect = (): Promise<Dispatcher> => {
    connections ??= import('./connection.ts').then(({ createConnections }) => createConnections(settings))
    return connections
  }
  const { credentials = credentialChain(settings.profile), clock = systemClock } = parts
  const direct = directRequests(settings)
  const send = createSender({ bucket: name, settings, connect, direct, credentials, clock })
  const { checksums } = settings
  return {
    name,
    list: (...rest) => listObjects(send, ...rest),
    versions: (...rest) => listVersions(send, ...rest),
    head: (...rest) => headObject(send, ...rest),
    get: (...rest) => getObject(send, ...rest),
    put: (...rest) => putObject(send, checksums, ...rest),
    createUpload: (...rest) => createUpload(send, checksums, ...rest),
    uploadPart: (...rest) => uploadPart(send, checksums, ...rest),
    completeUpload: (...rest) => completeUpload(send, ...rest),
    abortUpload: (...rest) => abortUpload(send, ...rest),
    uploads: (...rest) => openUploads(send, ...rest),
    delete: (...rest) => deleteObject(send, ...rest),
    deleteAll: (...rest) => deleteObjects(send, ...rest),
    restore: (...rest) => restoreObject(send, ...rest),
    check: async (signal) => void (await send({ method: 'HEAD', signal }, drain)),
    presignPut: createPresign({ bucket: name, settings, credentials, clock }),
    send,
    close: async () => {
      direct?.close()
      await (await connections)?.close()
    },
  }
}

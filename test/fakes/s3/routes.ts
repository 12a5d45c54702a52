import { Bucket } from './bucket.ts'
import { completeUpload } from './complete.ts'
import { deleteObject, deleteObjects } from './delete.ts'
import { listObjects } from './listing.ts'
import { abortUpload, createUpload, listParts, listUploads, uploadPart } from './multipart.ts'
import { readObject } from './read.ts'
import { notImplemented, Refusal } from './refusal.ts'
import type { Answer, RequestKind, S3Request } from './request.ts'
import { listVersions } from './versions.ts'
import { putObject, restoreObject } from './write.ts'
import { document, one } from './xml.ts'

type Handler = (bucket: Bucket, request: S3Request, now: Date, minPartBytes: number) => Answer

const handlers: Readonly<Partial<Record<RequestKind, Handler>>> = {
  CreateUpload: createUpload,
  CompleteUpload: completeUpload,
  RestoreObject: restoreObject,
  UploadPart: uploadPart,
  AbortUpload: abortUpload,
  ListParts: listParts,
  HeadObject: readObject,
  GetObject: readObject,
  PutObject: putObject,
  DeleteObject: deleteObject,
  DeleteObjects: deleteObjects,
  ListUploads: listUploads,
  ListVersions: listVersions,
  ListObjects: listObjects,
  HeadBucket: () => ({ status: 200 }),
  GetLocation: () => ({ status: 200, body: document('LocationConstraint', []) }),
  GetVersioning: (bucket) => ({
    status: 200,
    body: document('VersioningConfiguration', [['Status', bucket.isVersioned ? 'Enabled' : undefined]]),
  }),
  PutVersioning: (bucket, { body }) => {
    bucket.isVersioned = one(body.toString(), 'Status') === 'Enabled'
    return { status: 200 }
  },
}

export interface Account {
  readonly buckets: Map<string, Bucket>
  readonly minPartBytes: number
}

/** Carries a request out. Throws a `Refusal` where S3 would refuse it. */
export const carryOut = ({ buckets, minPartBytes }: Account, request: S3Request, now: Date): Answer => {
  if (request.kind === 'ListBuckets')
    return {
      status: 200,
      body: document('ListAllMyBucketsResult', [
        ['Buckets', [...buckets.keys()].map((name) => ['Bucket', [['Name', name]]] as const)],
      ]),
    }
  if (request.kind === 'CreateBucket') {
    if (buckets.has(request.bucket)) throw new Refusal(409, 'BucketAlreadyOwnedByYou')
    buckets.set(request.bucket, new Bucket(request.bucket))
    return { status: 200, headers: { location: `/${request.bucket}` } }
  }
  const bucket = buckets.get(request.bucket)
  if (bucket === undefined) throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist')
  const handler = handlers[request.kind]
  if (handler === undefined) throw notImplemented(`${request.method} with ${request.query}`)
  return handler(bucket, request, now, minPartBytes)
}

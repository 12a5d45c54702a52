import * as t from 'io-ts'
import { DeclaredFile, Description, FileFormat, Mode } from '../../../domain/ingest/payload.ts'

const textOrNull = t.union([t.string, t.null])
/** Null if a person adopted the version from storage. */
const job = t.union([t.number, t.null])

export const ObjectLine = t.type({
  object: t.string,
  title: textOrNull,
  collection: textOrNull,
  owner: textOrNull,
  localIds: t.readonlyArray(t.string),
  /** The latest version; 0: only its identifier is reserved. */
  version: t.number,
  files: t.number,
  bytes: t.number,
  storedAt: textOrNull,
  job,
  /** The last day (UTC) of its embargo, which may be over; null: none, or not known. */
  embargoUntil: textOrNull,
})
export type ObjectLine = t.TypeOf<typeof ObjectLine>

export const ObjectAnswer = t.intersection([
  ObjectLine,
  t.type({
    description: t.union([Description, t.null]),
    inventoryDigest: textOrNull,
    /** Versions, the oldest first. */
    versions: t.array(
      t.type({
        version: t.number,
        mode: t.union([Mode, t.null]),
        files: t.number,
        bytes: t.number,
        job,
        batch: textOrNull,
        inventoryDigest: t.string,
        embargoUntil: textOrNull,
        storedAt: t.string,
      }),
    ),
    /** Version whose files are listed. */
    listedVersion: t.number,
    listedFiles: t.array(
      t.type({
        path: t.string,
        size: t.number,
        sha256: t.string,
        mimeType: textOrNull,
        declared: t.union([DeclaredFile, t.null]),
        format: t.union([FileFormat, t.null]),
      }),
    ),
  }),
])
export type ObjectAnswer = t.TypeOf<typeof ObjectAnswer>

import * as t from 'io-ts'
import { PositiveInteger, Text } from '../kernel/codecs.ts'
import { EmbargoWord } from '../kernel/embargo.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { type ArchiveFile, FileName, fileId, Location, RepositoryName } from './file.ts'
import { KnownKind } from './kind.ts'
import { JobOutcome } from './outcome.ts'
import { Place } from './place.ts'

const file = { repository: RepositoryName, name: FileName }

const { size, modifiedAt } = Place.types[1].props

const FileSighted = t.intersection(
  [
    t.type({ ...file, location: Location }),
    t.partial({
      size,
      modifiedAt,
      /** Absent: what the name says. */
      kind: KnownKind,
      embargoUntil: EmbargoWord,
    }),
  ],
  'file.sighted',
)

const FileAdopted = t.intersection(
  [
    t.type(file),
    t.partial({ location: Location, size, modifiedAt, kind: KnownKind, embargoUntil: EmbargoWord }),
  ],
  'file.adopted',
)

const FileWithdrawn = t.intersection([t.type(file), t.partial({ reason: Text })], 'file.withdrawn')

const FileProcessed = t.type(
  {
    ...file,
    worker: Text,
    /** Fencing number of the claim under which the job was done. */
    fence: PositiveInteger,
    outcome: JobOutcome,
  },
  'file.processed',
)

const example = { repository: 'main', name: '17-20260131120000-00001.warc.gz' }
const place = {
  location: '/srv/warcs/17-20260131120000-00001.warc.gz',
  size: 1_003_417,
  modifiedAt: '2026-01-31T12:00:00.000Z',
}

export const filesTopic = {
  name: 'fonds.indexing.files',
  description: 'Which archive files there are: our poller says so, and whoever else knows.',
  messages: [
    messageSpec('file.sighted', 'A file is there.', FileSighted, { ...example, ...place }),
    messageSpec(
      'file.adopted',
      'A file is in the index already: it is not read again.',
      FileAdopted,
      example,
    ),
    messageSpec('file.withdrawn', 'A file, and its lines, are to go from the index.', FileWithdrawn, {
      ...example,
      reason: 'taken down',
    }),
  ],
  keyOf: (data) => fileId(data as ArchiveFile),
} as const satisfies TopicSpec

export const outcomesTopic = {
  name: 'fonds.indexing.outcomes',
  description: 'What came of jobs, by the workers that did them.',
  messages: [
    messageSpec('file.processed', 'A job came to its end.', FileProcessed, {
      ...example,
      worker: 'indexer@host/1',
      fence: 1,
      outcome: {
        status: 'indexed',
        files: 1,
        lines: 171,
        digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        size: place.size,
        modifiedAt: place.modifiedAt,
      },
    }),
  ],
  keyOf: (data) => fileId(data as ArchiveFile),
} as const satisfies TopicSpec

export const topics: readonly TopicSpec[] = [filesTopic, outcomesTopic]

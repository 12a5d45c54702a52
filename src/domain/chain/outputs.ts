import * as t from 'io-ts'
import { NonNegativeInteger, Text } from '../kernel/codecs.ts'
import { EmbargoWord } from '../kernel/embargo.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'

/* Messages that the chain sends to topics of other workflows. A test reads them as their receivers do. */

const Checksum = t.type({ algorithm: Text, value: Text }, 'checksum')
export type Checksum = t.TypeOf<typeof Checksum>

const item = { store: Text, path: Text }

const ContentRecorded = t.intersection([
  t.type({ ...item, checksums: t.array(Checksum), version: Text, recordedFrom: Text }),
  t.partial({ size: NonNegativeInteger }),
])
export type ContentRecorded = t.TypeOf<typeof ContentRecorded>

const IndexRecorded = t.intersection([
  t.type({ ...item, checksums: t.array(Checksum) }),
  t.partial({ size: NonNegativeInteger }),
])
export type IndexRecorded = t.TypeOf<typeof IndexRecorded>

const ContentRemoved = t.type({ ...item, reason: Text })
export type ContentRemoved = t.TypeOf<typeof ContentRemoved>

const keyOf = (data: unknown): string => {
  const { store, path } = data as { readonly store: string; readonly path: string }
  return `${store}/${path}`
}

const sha256 = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}
const example = { store: 'storage', path: '0a1/b2c/d3e/ark%3a%2f99999%2ffk4abc/v1/content/producer/03.tif' }

export const contentTopic = {
  name: 'fonds.fixity.content',
  description: 'Content of objects, which is to be checked from now on.',
  messages: [
    messageSpec('content.recorded', 'A version of an object brought content.', ContentRecorded, {
      ...example,
      checksums: [sha256],
      size: 0,
      version: 'ark:/99999/fk4abc v1',
      recordedFrom: 'the submitter, batch 0198c5e2-7d1f-7a3b-9c45-1f0e2d3c4b5a',
    }),
    messageSpec('content.removed', 'Content of an object was withdrawn.', ContentRemoved, {
      ...example,
      reason: 'withdrawn at the donor’s wish',
    }),
  ],
  keyOf,
} as const satisfies TopicSpec

export const indexTopic = {
  name: 'fonds.fixity.index',
  description: 'Digests that inventories of objects have of content.',
  messages: [
    messageSpec(
      'index.recorded',
      'The inventory has another digest than its submitter gave.',
      IndexRecorded,
      {
        ...example,
        checksums: [sha256],
        size: 0,
      },
    ),
  ],
  keyOf,
} as const satisfies TopicSpec

const archive = { repository: Text, name: Text }

const FileSighted = t.intersection([
  t.type({ ...archive, location: Text, embargoUntil: EmbargoWord }),
  t.partial({ size: NonNegativeInteger }),
])
export type FileSighted = t.TypeOf<typeof FileSighted>

const FileWithdrawn = t.type({ ...archive, reason: Text })
export type FileWithdrawn = t.TypeOf<typeof FileWithdrawn>

const archiveExample = {
  repository: 'storage',
  name: 'ark~3A=99999=fk4abc~_v1=content=producer=crawl.warc.gz',
}

export const filesTopic = {
  name: 'fonds.indexing.files',
  description: 'Archive files in objects, which are to be indexed where they lie.',
  messages: [
    messageSpec(
      'file.sighted',
      'A version of an object brought an archive file, or moved its embargo.',
      FileSighted,
      {
        ...archiveExample,
        location: '/srv/storage/0a1/b2c/d3e/ark%3a%2f99999%2ffk4abc/v1/content/producer/crawl.warc.gz',
        size: 1_003_417,
        embargoUntil: 'none',
      },
    ),
    messageSpec('file.withdrawn', 'An archive file of an object was withdrawn.', FileWithdrawn, {
      ...archiveExample,
      reason: 'withdrawn at the donor’s wish',
    }),
  ],
  keyOf: (data: unknown): string => {
    const { repository, name } = data as { readonly repository: string; readonly name: string }
    return `${repository}/${name}`
  },
} as const satisfies TopicSpec

/** Object and version in one text: it tells later events of the content which object they are about. */
export const versionText = (object: string, version: number): string => `${object} v${version}`

/** Undefined if the text is none of `versionText`. */
export const versionIn = (
  text: string | undefined,
): { readonly object: string; readonly version: number } | undefined => {
  const [, object, version] = /^(.+) v([1-9]\d{0,8})$/s.exec(text ?? '') ?? []
  return object === undefined ? undefined : { object, version: Number(version) }
}

/** Source of the chain's messages, and so the actor of their events. */
export const chainSource = 'fonds://chain'

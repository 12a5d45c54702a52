import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { isArchiveName } from '#src/domain/chain/archive-files.ts'
import {
  fixityBatchCategory,
  fixityBatches,
  fixityCategory,
  fixityItems,
  fixityStoreCategory,
  fixityStores,
  indexingCategory,
  indexingFiles,
  ingestCategory,
  ingestObjects,
} from '#src/domain/chain/inputs.ts'
import { contentTopic, filesTopic, indexTopic, versionIn, versionText } from '#src/domain/chain/outputs.ts'
import { rules } from '#src/domain/chain/rules.ts'
import { category as batchCategory, batchEvents } from '#src/domain/fixity/batch/events.ts'
import { events } from '#src/domain/fixity/events.ts'
import { category as itemCategory } from '#src/domain/fixity/item.ts'
import { contentTopic as contentTaken, indexTopic as indexTaken } from '#src/domain/fixity/messages.ts'
import { category as storeCategory, storeEvents } from '#src/domain/fixity/store/events.ts'
import { events as indexingEvents } from '#src/domain/indexing/events.ts'
import { category as fileCategory } from '#src/domain/indexing/file.ts'
import { kindOf } from '#src/domain/indexing/kind.ts'
import { filesTopic as filesTaken } from '#src/domain/indexing/messages.ts'
import { categories } from '#src/domain/ingest/ids.ts'
import { objectEvents } from '#src/domain/ingest/object/events.ts'
import { accept } from '#src/domain/kernel/codecs.ts'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import type { EventSet } from '#src/domain/kernel/event-set.ts'
import type { TopicSpec } from '#src/domain/kernel/message.ts'
import { nameOfPart } from '#src/domain/kernel/part-name.ts'
import batches from '../fixity/batch/stored-events.json' with { type: 'json' }
import stores from '../fixity/store/stored-events.json' with { type: 'json' }
import items from '../fixity/stored-events.json' with { type: 'json' }
import ofIndexing from '../indexing/stored-events.json' with { type: 'json' }
import ofIngest from '../ingest/stored-events.json' with { type: 'json' }

/* Workflows know nothing of each other: what one writes and another reads is held together here. */

const read: readonly (readonly [
  name: string,
  ours: EventSet<DomainEvent>,
  theirs: EventSet<DomainEvent>,
  stored: readonly { readonly type: string; readonly schema: number; readonly data: unknown }[],
])[] = [
  ['objects of ingest', ingestObjects, objectEvents, ofIngest.object],
  ['items of fixity', fixityItems, events, items],
  ['batches of fixity', fixityBatches, batchEvents, batches],
  ['stores of fixity', fixityStores, storeEvents, stores],
  ['files of indexing', indexingFiles, indexingEvents, ofIndexing],
]

describe.each(read)('%s', (_, ours, theirs, stored) => {
  it('are events that exist, in their present schema', () => {
    for (const type of ours.types) {
      expect(theirs.types).toContain(type)
      expect([type, ours.schemaOf(type)]).toEqual([type, theirs.schemaOf(type)])
    }
  })

  it('each stored example of one that the chain reads is read', () => {
    const wanted = stored.filter(({ type, data, schema }) => {
      const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema }
      return ours.specs.has(type) && isRight(theirs.read({ type, data, metadata }))
    })
    expect(new Set(wanted.map(({ type }) => type))).toEqual(new Set(ours.types))
    for (const { type, schema, data } of wanted) {
      const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema }
      expect([type, ours.read({ type, data, metadata })._tag]).toEqual([type, 'Right'])
    }
  })
})

it('categories are those of the workflows', () => {
  expect([
    ingestCategory,
    fixityCategory,
    fixityBatchCategory,
    fixityStoreCategory,
    indexingCategory,
  ]).toEqual([categories.object, itemCategory, batchCategory, storeCategory, fileCategory])
})

describe.each([
  [contentTopic, contentTaken],
  [indexTopic, indexTaken],
  [filesTopic, filesTaken],
])('messages to a topic', (ours: TopicSpec, theirs: TopicSpec) => {
  it('are taken by whoever reads it, under the same key', () => {
    expect(ours.name).toBe(theirs.name)
    for (const { type, example } of ours.messages) {
      const spec = theirs.messages.find((one) => one.type === type)!
      expect([type, accept(spec.codec, example)]).toEqual([type, { _tag: 'Right', right: example }])
      expect(ours.keyOf(example)).toBe(theirs.keyOf(example))
    }
  })
})

it('a rule names events that its workflow reads, and messages that it can send', () => {
  const topics = new Map<string, TopicSpec>(
    [contentTopic, indexTopic, filesTopic].map((topic) => [topic.name, topic]),
  )
  for (const { listens, sends } of Object.values(rules)) {
    expect(ingestObjects.types).toEqual(expect.arrayContaining([...listens.ingestObject]))
    for (const [topic, types] of Object.entries(sends))
      expect(topics.get(topic)?.messages.map(({ type }) => type)).toEqual(types)
  }
})

it.each(['ark:/99999/fk4abc', 'an object of another program, v2', 'x v1'])(
  'the object %s is known by the version of its content',
  (object) => {
    expect(versionIn(versionText(object, 12))).toEqual({ object, version: 12 })
  },
)

it.each([undefined, '2', 'v1', 'ark:/99999/fk4abc', 'ark:/99999/fk4abc v0', 'ark:/99999/fk4abc v1.2'])(
  'a version of somebody else, %s, names no object',
  (text) => {
    expect(versionIn(text)).toBeUndefined()
  },
)

it.each(['a.warc', 'a.WARC.gz', 'a.warc.zst', 'a.arc', 'a.arc.gz', 'a.wacz', 'a-metadata-1.warc.gz'])(
  '%s in an object is an archive file, also to indexing',
  (name) => {
    expect([isArchiveName(name), kindOf(nameOfPart({ object: 'ark:/9/x', path: name }))]).toEqual([
      true,
      expect.stringMatching('content|metadata'),
    ])
  },
)

it.each(['a.txt', 'warc', 'a.warc.gz.md5', 'a.warc.open', 'a.gz', 'a.arc.zst'])(
  '%s in an object is none, also to indexing',
  (name) => {
    expect([isArchiveName(name), kindOf(nameOfPart({ object: 'ark:/9/x', path: name }))]).toEqual([
      false,
      'unknown',
    ])
  },
)

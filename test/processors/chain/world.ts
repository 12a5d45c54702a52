import { createHash } from 'node:crypto'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { dossierStream } from '#src/domain/chain/events.ts'
import type { Brought } from '#src/domain/chain/handing-over.ts'
import type { RuleName } from '#src/domain/chain/rules.ts'
import type { EmbargoWord } from '#src/domain/kernel/embargo.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { ObjectStoreFailure } from '#src/ports/object-store.ts'
import { fixityWork } from '#src/processors/chain/fixity-work.ts'
import type { HandOverDependencies, RuleWork } from '#src/processors/chain/hand-over.ts'
import { indexingWork } from '#src/processors/chain/indexing-work.ts'
import { chain } from '#src/projections/chain/projection.ts'
import { foldBatch } from '#src/projections/runtime/fold.ts'
import { viewCheckpoint } from '../../../src/async/checkpoint.ts'
import { openTestViews } from '../../fakes/views.ts'
import { deciding } from '../deciding.ts'

const sha = (digit: string) => digit.repeat(64)
const shaOf = (name: string) => createHash('sha256').update(name).digest('hex')

interface Stored {
  readonly archives?: readonly string[]
  readonly carried?: readonly string[]
  readonly embargoUntil?: string
}
// biome-ignore lint/suspicious/noExplicitAny: as a receiver reads it
type Line = any

/** A version as storage has it: a content file, its inventory, and what stands at the top. */
export const brought = (object: string, version: number): Brought => ({
  folder: `0a1/${encodeURIComponent(object)}`,
  files: [{ place: `v${version}/content/a`, sha256: sha(`${version}`) }],
  records: [{ place: `v${version}/inventory.json`, sha256: sha('a'), size: 9 }],
  shared: [{ place: 'inventory.json', sha256: sha('a'), size: 9 }],
})

/** A log with objects that ingest stored, a storage root, and a topic that takes what is sent. */
export const chainWorld = () => {
  const { eventStore, execute, states, clock, eventsOf } = deciding()
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create(chain.name, chain.version, chain.views)
  viewStore.promote(generation)
  const sent: { readonly id: string; readonly type: string; readonly path: string; readonly data: Line }[] =
    []
  const storage = new Map<string, Either<ObjectStoreFailure, Brought | undefined>>()
  /** Effects until the process ends; it has as many as it likes where this is not set. */
  let left_ = Number.POSITIVE_INFINITY
  const effect = () => {
    if (left_-- <= 0) throw new Error('killed')
  }

  const deps: HandOverDependencies = {
    eventStore,
    states,
    clock,
    execute: async (decider, envelope) => {
      effect()
      return execute(decider, envelope)
    },
    broker: {
      produce: (records) => async () => {
        effect()
        for (const { headers, value } of records) {
          const header = (name: string) => String(headers?.[name] ?? headers?.[`ce_${name}`])
          const data = JSON.parse(String(value))
          sent.push({ id: header('id'), type: header('type'), path: data.path, data })
        }
        return right([])
      },
    },
    objectStore: async () => ({
      added: (object, version) => async () =>
        (storage.get(`${object} ${version}`) ?? right(undefined)) as never,
    }),
    on: ['fixity'],
    get work(): RuleWork {
      return works[rule]
    },
  }
  const { objectStore } = deps
  let rule: RuleName = 'fixity'
  const carriedNames = new Map<string, readonly string[]>()
  const embargoes = new Map<string, EmbargoWord>()
  const works: Readonly<Record<RuleName, RuleWork>> = {
    fixity: fixityWork({ viewStore, objectStore, fixityStore: async () => 'storage' }),
    indexing: indexingWork({
      ...{ viewStore, clock, execute: deps.execute, store: 'storage', root: '/srv/storage' },
      embargoOf: async (object, version) => embargoes.get(`${object} ${version}`) ?? 'none',
      carriedBy: async (object, version) => new Set(carriedNames.get(`${object} ${version}`)?.map(shaOf)),
      viewsCatchUp: () => fold(),
    }),
  }
  /** Folds what the log has into the views. */
  const fold = async () => {
    const before = viewStore.checkpoint(generation)
    const read = await eventStore.readAll(before.position, { categories: ['dossier', 'indexing'] }, 1000)()
    if (read._tag === 'Left') throw new Error(read.left.reason)
    const { events, position } = read.right
    if (position > before.position)
      foldBatch(viewCheckpoint(viewStore, generation), chain, before, { events, position })
  }

  const append = async (stream: string, type: string, data: object): Promise<RecordedEvent> => {
    const appended = await eventStore.append(stream, 'any', [
      {
        id: crypto.randomUUID(),
        type,
        data: { at: clock.now(), ...data },
        metadata: { actor: 'w', causationId: 'c', correlationId: 'batch 1', schema: 1 },
      },
    ])()
    if (appended._tag === 'Left') throw new Error(appended.left.kind)
    return (await eventsOf(stream)).at(-1)!
  }

  return {
    deps,
    sent,
    storage,
    viewStore,
    generation,
    eventStore,
    eventsOf,
    append,
    /** The process ends after so many effects more. */
    killAfter: (effects: number) => {
      left_ = effects
    },
    fold,
    embargoes,
    /** The rule that is tried. */
    try: (tried: RuleName) => {
      rule = tried
    },
    /** `archives`: names of archive files that it brings, too; those of `carried` have other versions brought. */
    stored: (object: string, version: number, { archives = [], carried = [], embargoUntil }: Stored = {}) => {
      const { files, ...rest } = brought(object, version)
      const more = archives.map((name) => ({
        place: `v${version}/content/producer/${name}`,
        sha256: shaOf(name),
      }))
      storage.set(`${object} ${version}`, right({ ...rest, files: [...files, ...more] }))
      const names = [...archives, ...carried]
      carriedNames.set(`${object} ${version}`, names)
      return append(`ingestObject-${object}`, 'VersionStored', {
        ...{
          job: 1,
          fence: 1,
          version,
          inventoryDigest: `digest ${version}`,
          files: 1 + names.length,
          bytes: 5,
        },
        listed: [
          { path: 'a', size: 5, sha256: sha(`${version}`) },
          ...names.map((name) => ({ path: `producer/${name}`, size: 7, sha256: shaOf(name) })),
        ],
        object: {
          batch: 'b-1',
          profile: 'default',
          localIds: ['box-7'],
          ...(embargoUntil && { embargoUntil }),
        },
      })
    },
    setAside: (object: string, keep: number) =>
      append(`ingestObject-${object}`, 'VersionsSetAside', { keep, reason: 'a wish' }),
    fails: (object: string, version: number, failure: ObjectStoreFailure) =>
      storage.set(`${object} ${version}`, left(failure)),
    typesOf: async (object: string) => (await eventsOf(dossierStream(object))).map(({ type }) => type),
  }
}

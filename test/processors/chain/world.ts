import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { dossierStream } from '#src/domain/chain/events.ts'
import type { Brought } from '#src/domain/chain/handing-over.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { ObjectStoreFailure } from '#src/ports/object-store.ts'
import type { HandOverDependencies } from '#src/processors/chain/hand-over.ts'
import { chain } from '#src/projections/chain/projection.ts'
import { openTestViews } from '../../fakes/views.ts'
import { deciding } from '../deciding.ts'

const sha = (digit: string) => digit.repeat(64)

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
  const sent: { readonly id: string; readonly type: string; readonly path: string }[] = []
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
    viewStore,
    execute: async (decider, envelope) => {
      effect()
      return execute(decider, envelope)
    },
    broker: {
      produce: (records) => async () => {
        effect()
        for (const { headers, value } of records) {
          const header = (name: string) => String(headers?.[name] ?? headers?.[`ce_${name}`])
          const { path } = JSON.parse(String(value))
          sent.push({ id: header('id'), type: header('type'), path })
        }
        return right([])
      },
    },
    objectStore: async () => ({
      added: (object, version) => async () =>
        (storage.get(`${object} ${version}`) ?? right(undefined)) as never,
    }),
    fixityStore: async () => 'storage',
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
    stored: (object: string, version: number) => {
      storage.set(`${object} ${version}`, right(brought(object, version)))
      return append(`ingestObject-${object}`, 'VersionStored', {
        ...{ job: 1, fence: 1, version, inventoryDigest: `digest ${version}`, files: 1, bytes: 5 },
        listed: [{ path: 'a', size: 5, sha256: sha(`${version}`) }],
        object: { batch: 'b-1', profile: 'default', localIds: ['box-7'] },
      })
    },
    setAside: (object: string, keep: number) =>
      append(`ingestObject-${object}`, 'VersionsSetAside', { keep, reason: 'a wish' }),
    fails: (object: string, version: number, failure: ObjectStoreFailure) =>
      storage.set(`${object} ${version}`, left(failure)),
    typesOf: async (object: string) => (await eventsOf(dossierStream(object))).map(({ type }) => type),
  }
}

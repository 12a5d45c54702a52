import * as E from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { localIdStream, objectStream } from '../../domain/ingest/ids.ts'
import { localIdDecider } from '../../domain/ingest/local-id/decide.ts'
import type { AdoptVersion } from '../../domain/ingest/object/adopt.ts'
import { type ObjectCommand, objectDecider } from '../../domain/ingest/object/decide.ts'
import type { ObjectFacts } from '../../domain/ingest/object/events.ts'
import { untold } from '../../domain/ingest/object/storage.ts'
import { maxListedFiles, pages } from '../../domain/ingest/payload.ts'
import { type IngestRejection, reject, unconfirmed } from '../../domain/ingest/rejection.ts'
import type { HeldVersion, ObjectStore } from '../../ports/object-store.ts'
import { identifiers } from '../../processors/ingest/identifiers.ts'
import { refusalSoFar } from '../../processors/ingest/storage-guard.ts'
import type { By } from '../../processors/runtime/operator-command.ts'
import { answeredBy } from '../../workers/ingest/storage/answered-by.ts'
import { factsOfVersion } from '../../workers/ingest/storage/version-facts.ts'

import type { IngestContext } from './context.ts'

/** The last of the versions; those before it were adopted while the command was carried out. */
export type LastAdopted = Omit<AdoptVersion, 'type' | 'actor' | 'at' | 'reason'>

export interface SetAside {
  readonly object: string
  readonly keep: number
  readonly folder: string | undefined
}

type Answer<A> = E.Either<IngestRejection, A>

/** Adopts all versions that the log does not know except the last, which is returned. Throws `UnavailableError`. */
export const adoptUnknown = async (
  object: string,
  context: IngestContext,
  by: By,
): Promise<Answer<LastAdopted>> => {
  const unknown = await unknownVersions(object, context)
  if (E.isLeft(unknown)) return unknown
  const { objects, versions, held } = unknown.right
  // If the log knows all, the last one is adopted again, which changes nothing.
  const last = versions.at(-1) ?? held
  for (const version of versions.slice(0, -1)) {
    const read = await adoptFiles(object, version, objects, context, by)
    if (E.isLeft(read)) return read
    const adopted = await execute(object, { type: 'AdoptVersion', ...read.right, ...by }, context)
    if (E.isLeft(adopted)) return adopted
  }
  return adoptFiles(object, last, objects, context, by)
}

/**
 * Removes all versions that the log does not know from storage. If an earlier process removed them without recording
 * that, returns its copy. Throws `UnavailableError`.
 */
export const setAsideUnknown = async (
  object: string,
  isConfirmed: boolean,
  context: IngestContext,
): Promise<Answer<SetAside>> => {
  const unknown = await unknownVersions(object, context)
  if (E.isLeft(unknown)) {
    const copy = unknown.left.code === 'unknown' ? await untoldCopy(object, context) : undefined
    return copy === undefined ? unknown : E.right({ object, keep: 0, folder: copy })
  }
  const { objects, versions, last } = unknown.right
  if (versions.length === 0) return E.right({ object, keep: last, folder: await untoldCopy(object, context) })
  const between = versions.find(({ version }) => version < last)
  if (between)
    return reject(
      'not-allowed',
      `version ${between.version} of ${object} comes before version ${last}, which the log knows: it can only be adopted`,
    )
  if (!isConfirmed)
    return unconfirmed(
      `${object} has ${last === 0 ? 'no version' : `version ${last} as its last`} in storage afterwards`,
      'depositors of the others will not be notified',
    )
  return E.right({ object, keep: last, folder: answeredBy(await objects.setAside(object, last)()) })
}

/** Returns the last copy that was set aside without an event; undefined if each has one. */
const untoldCopy = async (object: string, context: IngestContext): Promise<string | undefined> => {
  const { setAside } = await identifiers({ ...context, worker: 'operator' }).knownObject(object)
  const copies = answeredBy(await (await context.objectStore()).aside(object)())
  return untold(copies, setAside).at(-1)?.folder
}

interface Unknown {
  readonly objects: ObjectStore
  /** Versions that the log does not know, in their order. */
  readonly versions: readonly HeldVersion[]
  /** The last version in storage. */
  readonly held: HeldVersion
  /** The last version that the log knows; 0: none. */
  readonly last: number
}

const unknownVersions = async (object: string, context: IngestContext): Promise<Answer<Unknown>> => {
  const { versions: known, isBeingStored } = await identifiers({
    ...context,
    worker: 'operator',
  }).knownObject(object)
  if (isBeingStored)
    return reject('held', `a job stores a version of ${object}; repeat this once it has ended`)
  const refusal = await refusalSoFar(context)
  if (refusal !== undefined) return reject('not-allowed', refusal)
  const objects = await context.objectStore()
  const found = answeredBy(await objects.inspect(object)())
  const held = found?.versions.at(-1)
  if (!found || !held) return reject('unknown', `storage holds no object ${object}`)
  const numbers = new Set(known.map(({ version }) => version))
  return E.right({
    objects,
    held,
    versions: found.versions.filter(({ version }) => !numbers.has(version)),
    last: Math.max(0, ...numbers),
  })
}

/** Adopts all files of the version except the last page, which goes with the version. */
const adoptFiles = async (
  ark: string,
  { version, inventoryDigest }: HeldVersion,
  objects: ObjectStore,
  context: IngestContext,
  by: By,
): Promise<Answer<LastAdopted>> => {
  if (inventoryDigest === undefined)
    return reject(
      'incomplete',
      `version ${version} of ${ark} keeps no inventory of its own in storage: nothing says that it is whole`,
    )
  const object = await factsOfVersion(objects, ark, version)
  const bound = object ? await adoptLocalIds(ark, object, context, by) : E.right(undefined)
  if (E.isLeft(bound)) return bound
  const files = answeredBy(await objects.files(ark, version)()) ?? []
  const all = [...pages(files, maxListedFiles)]
  let from = 0
  for (const page of all.slice(0, -1)) {
    const listed = await execute(ark, { type: 'AdoptFiles', version, from, files: page, ...by }, context)
    if (E.isLeft(listed)) return listed
    from += page.length
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return E.right({
    ark,
    version,
    inventoryDigest,
    files: files.length,
    bytes,
    listed: all.at(-1) ?? [],
    object,
  })
}

/** Binds the owner's local ids to this object, so that later submissions under them mean it. */
const adoptLocalIds = async (
  ark: string,
  { owner, localIds }: ObjectFacts,
  context: IngestContext,
  by: By,
): Promise<Answer<void>> => {
  for (const localId of localIds) {
    const stream = localIdStream(owner, localId)
    const command = { type: 'AdoptLocalId', ark, ...by } as const
    const outcome = await orThrow(() =>
      context.execute(localIdDecider, { stream, command, causationId: uuid() }),
    )
    if (outcome.kind === 'rejected')
      return reject(outcome.rejection.code, `local id ${localId} of ${owner}: ${outcome.rejection.message}`)
  }
  return E.right(undefined)
}

const execute = async (
  ark: string,
  command: ObjectCommand,
  context: IngestContext,
): Promise<Answer<void>> => {
  const envelope = { stream: objectStream(ark), command, causationId: uuid() }
  const outcome = await orThrow(() => context.execute(objectDecider, envelope))
  return outcome.kind === 'rejected' ? E.left(outcome.rejection) : E.right(undefined)
}

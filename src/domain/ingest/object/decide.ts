import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import { isPage, type ObjectFile } from '../payload.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { type AdoptFiles, type AdoptVersion, adoptFiles, adoptVersion } from './adopt.ts'
import {
  type CompareStorage,
  compareStorage,
  type RecordSetAside,
  recordSetAside,
} from './compare-storage.ts'
import type { ObjectEvent, ObjectFacts } from './events.ts'
import { objectEvents } from './events.ts'
import { evolve, initial, isHolder, type ObjectHolder, type ObjectState } from './state.ts'

/** From a job under its claim. */
interface ObjectCommandBase extends Command, ObjectHolder {
  readonly ark: string
}

/** The ARK is to be this job's, before anybody else learns of it. */
interface ReserveArk extends ObjectCommandBase {
  readonly type: 'ReserveArk'
}

export interface ClaimObject extends ObjectCommandBase {
  readonly type: 'ClaimObject'
  /** A holder that was looked up and is neither storing nor recording any more. */
  readonly over?: ObjectHolder | undefined
}

interface ListFiles extends ObjectCommandBase {
  readonly type: 'ListFiles'
  readonly version: number
  readonly from: number
  readonly files: readonly ObjectFile[]
}

/** As storage holds it. */
export interface RecordedVersion {
  readonly ark: string
  readonly version: number
  readonly inventoryDigest: string
  /** All of the version, and bytes together. */
  readonly files: number
  readonly bytes: number
}

interface RecordVersion extends ObjectCommandBase, RecordedVersion {
  readonly type: 'RecordVersion'
  readonly listed: readonly ObjectFile[]
  readonly object: ObjectFacts
}

export type ObjectCommand =
  | ReserveArk
  | ClaimObject
  | ListFiles
  | RecordVersion
  | CompareStorage
  | AdoptFiles
  | AdoptVersion
  | RecordSetAside

type Decision = E.Either<IngestRejection, readonly ObjectEvent[]>

const decide = (command: ObjectCommand, state: ObjectState): Decision => {
  switch (command.type) {
    case 'ReserveArk':
      return reserve(command, state)
    case 'ClaimObject':
      return claim(command, state)
    case 'ListFiles':
      return list(command, state)
    case 'RecordVersion':
      return record(command, state)
    case 'CompareStorage':
      return compareStorage(command, state)
    case 'AdoptFiles':
      return adoptFiles(command, state)
    case 'AdoptVersion':
      return adoptVersion(command, state)
    case 'RecordSetAside':
      return recordSetAside(command)
  }
}

/** An ARK that a job reserved stays its own, whatever becomes of the job: none is given twice. */
const reserve = (
  { ark, job, fence, at }: ReserveArk,
  { reservedFor, holder, versions }: ObjectState,
): Decision => {
  if (reservedFor === job) return E.right([])
  if (reservedFor !== undefined || holder || versions.length > 0)
    return reject('taken', `${ark} belongs to job ${reservedFor ?? holder?.job}; take another one`)
  return E.right([{ type: 'ArkReserved', data: { job, fence, at } }])
}

const claim = ({ ark, job, fence, over, at }: ClaimObject, state: ObjectState): Decision => {
  const { holder } = state
  const claimed: ObjectEvent = { type: 'ObjectClaimed', data: { job, fence, at } }
  if (!holder) return E.right([claimed])
  if (holder.job === job) {
    if (holder.fence > fence) return stale(claimOf(job, fence), holder)
    return E.right(holder.fence === fence ? [] : [claimed])
  }
  return over && isHolder(holder, over)
    ? E.right([claimed])
    : reject('held', `${ark} is held by job ${holder.job}, which stores a version of it; wait for it`)
}

const list = ({ ark, job, fence, version, from, files }: ListFiles, state: ObjectState): Decision => {
  if (!isHolder(state.holder, { job, fence })) return stale(claimOf(job, fence), state.holder)
  if (!isPage(files)) return reject('too-large', 'the list of files is too large for one message; part it')
  const listed = listedBy(state, { job, fence, version })
  if (
    from + files.length <= listed ||
    state.versions.some((one) => one.version === version && one.job === job)
  )
    return E.right([])
  if (from !== listed)
    return reject(
      'incomplete',
      `${listed} files of ${ark} version ${version} are listed; ${from} is not the next one`,
    )
  return E.right([{ type: 'FilesListed', data: { job, fence, version, from, files: [...files] } }])
}

/**
 * Storing is idempotent: the same version again is no event. Storage assigns the numbers: a version whose job failed
 * before it could report it may be recorded late, or never.
 */
const record = (wanted: RecordVersion, state: ObjectState): Decision => {
  const { ark, job, fence, version, inventoryDigest, files, bytes, listed, object, at } = wanted
  const known = state.versions.find((one) => one.version === version)
  if (known?.job === job && known.inventoryDigest === inventoryDigest) return E.right([])
  if (!isHolder(state.holder, { job, fence })) return stale(claimOf(job, fence), state.holder)
  if (known) return reject('version-conflict', `${whoStored(known)} version ${version} of ${ark} already`)
  if (!isPage(listed)) return reject('too-large', 'the list of files is too large for one message; part it')
  const all = listedBy(state, { job, fence, version }) + listed.length
  if (all !== files)
    return reject('incomplete', `${all} of the ${files} files of ${ark} version ${version} are listed`)
  const data = { job, fence, version, inventoryDigest, files, bytes, listed: [...listed], object, at }
  return E.right([{ type: 'VersionStored', data }])
}

const whoStored = ({ job }: ObjectState['versions'][number]): string =>
  job === undefined ? 'a person adopted' : `job ${job} stored`

const listedBy = (
  { listing }: ObjectState,
  { job, fence, version }: ObjectHolder & { readonly version: number },
): number => (listing && isHolder(listing, { job, fence }) && listing.version === version ? listing.files : 0)

const claimOf = (job: number, fence: number): string => `job ${job} under claim ${fence}`

const stale = (who: string, holder: ObjectHolder | undefined): Decision =>
  reject(
    'fenced',
    `${who} does not hold the object${holder ? `; job ${holder.job} under claim ${holder.fence} does` : ''}; drop the result`,
  )

/** One object: its identifier is one job's, and one job at a time stores a version of it. */
export const objectDecider: Decider<ObjectState, ObjectCommand, ObjectEvent, IngestRejection> = {
  category: categories.object,
  events: objectEvents,
  initial,
  evolve,
  decide,
}

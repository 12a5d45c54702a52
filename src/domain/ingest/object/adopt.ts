import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../../kernel/decider.ts'
import { isPage, type ObjectFile } from '../payload.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import type { ObjectEvent, ObjectFacts } from './events.ts'
import type { ObjectState } from './state.ts'

/* A person adopts a version that storage holds, and that no event records. */

export interface AdoptFiles extends Command {
  readonly type: 'AdoptFiles'
  readonly version: number
  readonly from: number
  readonly files: readonly ObjectFile[]
}

export interface AdoptVersion extends Command {
  readonly type: 'AdoptVersion'
  readonly ark: string
  readonly version: number
  readonly inventoryDigest: string
  /** Number of all files of the version, and their bytes. */
  readonly files: number
  readonly bytes: number
  /** The last of the files; the others were adopted before. */
  readonly listed: readonly ObjectFile[]
  readonly object: ObjectFacts | undefined
  readonly reason: string
}

type Decision = E.Either<IngestRejection, readonly ObjectEvent[]>

export const adoptFiles = ({ version, from, files }: AdoptFiles, state: ObjectState): Decision => {
  // An adoption that did not finish starts from the first file again.
  const listed = from === 0 ? 0 : adopted(state, version)
  if (isKnown(state, version) || from + files.length <= listed) return E.right([])
  if (from !== listed)
    return reject(
      'incomplete',
      `${listed} files of version ${version} are listed; ${from} is not the next one`,
    )
  if (!isPage(files)) return reject('too-large', 'the list of files is too large for one event; part it')
  return E.right([{ type: 'FilesAdopted', data: { version, from, files: [...files] } }])
}

export const adoptVersion = (wanted: AdoptVersion, state: ObjectState): Decision => {
  const { ark, version, inventoryDigest, files, bytes, listed, object, reason, at } = wanted
  if (isKnown(state, version)) return E.right([])
  const all = adopted(state, version) + listed.length
  if (all !== files)
    return reject('incomplete', `${all} of the ${files} files of ${ark} version ${version} are listed`)
  if (!isPage(listed)) return reject('too-large', 'the list of files is too large for one event; part it')
  const data = { version, inventoryDigest, files, bytes, listed: [...listed], reason, at }
  return E.right([{ type: 'VersionAdopted', data: { ...data, ...(object && { object }) } }])
}

const isKnown = ({ versions }: ObjectState, version: number): boolean =>
  versions.some((one) => one.version === version)

const adopted = ({ adopting }: ObjectState, version: number): number =>
  adopting?.version === version ? adopting.files : 0

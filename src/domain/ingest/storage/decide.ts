import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { type StorageEvent, storageEvents } from './events.ts'

interface AdoptRoot extends Command {
  readonly type: 'AdoptRoot'
  readonly root: string
  readonly folder: string
  readonly host: string
  /** A person's: with it another root takes the place of the one before. */
  readonly reason?: string | undefined
}

export type StorageCommand = AdoptRoot

/** The archive's storage root; undefined before there is one. */
export type AdoptedRoot =
  | { readonly root: string; readonly folder: string; readonly host: string }
  | undefined

const evolve = (_: AdoptedRoot, { data: { root, folder, host } }: StorageEvent): AdoptedRoot => ({
  root,
  folder,
  host,
})

/** An archive has one storage root. Only a person puts another in its place. */
export const storageDecider: Decider<AdoptedRoot, StorageCommand, StorageEvent, IngestRejection> = {
  category: categories.storage,
  events: storageEvents,
  initial: undefined,
  evolve,
  decide: ({ root, folder, host, reason, at }, adopted) => {
    if (adopted?.root === root) return E.right([])
    if (adopted && reason === undefined)
      return reject('taken', `the archive has the storage root ${adopted.root}, which is not ${root}`)
    const data = { root, folder, host, at, ...(reason !== undefined && { reason }) }
    return E.right([{ type: 'StorageRootAdopted', data }])
  },
}

import { isLeft } from 'fp-ts/lib/Either.js'
import type { System } from '../../app/system.ts'
import { MachineFailure } from '../../async/machine-failure.ts'
import { type VersionVerdict, versionVerdict } from '../../domain/fixity/version-check.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import { visible } from '../../domain/kernel/visible.ts'
import { noteVersion } from '../../processors/fixity/check-version.ts'
import { recordsOfVersion } from '../../projections/fixity/questions/version-records.ts'
import { examine } from '../../workers/fixity/examine.ts'
import { hashContent } from '../../workers/fixity/hash-content.ts'
import { bucketOfStore } from '../../workflows/fixity/archived-items.ts'
import { fixityContext } from '../../workflows/fixity/context.ts'
import { carryOut, RejectedError } from '../ask-command.ts'

/** Result of a check of one version. */
export interface VersionSummary extends VersionVerdict {
  readonly store: string
  readonly path: string
  readonly versionId: string
  /** Bytes, as the bucket reports them. */
  readonly size: number | undefined
  readonly modifiedAt: string | undefined
  /** Number of records of ours that are of this version. */
  readonly records: number
}

interface VersionWanted {
  readonly store: string
  readonly path: string
  readonly versionId: string
}

/**
 * Reads one version of an item, current or not, and records what was found as evidence about that version. Nothing else of
 * the item changes. Throws `RejectedError` and `UnavailableError`.
 */
export const checkVersion = async (
  system: System,
  { store, path, versionId }: VersionWanted,
  {
    actor,
    signal,
    onBytes,
  }: { readonly actor: string; readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<VersionSummary> => {
  const root = bucketOfStore(system, store, 'has versions')
  if (!row(system.viewStore, items, is('store', store), is('path', path)))
    throw new RejectedError(
      `${path} is not recorded in store ${store}; paths are those of the store, without its root`,
    )
  const content = await fixityContext(system).openVersion(root, versionId)
  const entry = await content.stat(path)()
  const name = `version ${visible(versionId)} of ${visible(path)}`
  if (isLeft(entry))
    throw new RejectedError(
      entry.left.kind === 'NotFound'
        ? `there is no ${name} in ${root}`
        : `${name} cannot be read: ${'reason' in entry.left ? entry.left.reason : 'it changed'}`,
    )
  const records = await recordsOfVersion(system.eventStore, system.viewStore, { store, path }, versionId)
  const wanted = { path, checksums: records.flatMap(({ checksums }) => checksums) }
  const found = await examine(content, wanted, (version, algorithms) =>
    hashContent(content, { path, version, algorithms, signal, onBytes }),
  ).catch((error: unknown) => {
    throw error instanceof MachineFailure
      ? new RejectedError(`${name} cannot be read: ${error.message}`)
      : error
  })
  if (!found) throw signal.reason
  const { content: bytes, storage } = found
  if (storage.status !== 'present' || (bytes.status !== 'read' && bytes.status !== 'not-attempted'))
    throw new RejectedError(
      `${name} cannot be read: ${bytes.status === 'failed' ? bytes.error : `it is ${bytes.status}`}`,
    )
  const observedAt = system.clock.now()
  const input = { store, path, versionId, content: bytes, storage, records, observedAt }
  await carryOut(system, noteVersion, input, {
    actor,
    reason: `fonds fixity check --version-id ${versionId}`,
  })
  const verdict = versionVerdict({ content: bytes, storage, records })
  const { size, modifiedAt } = storage
  return { store, path, versionId, ...verdict, size, modifiedAt, records: records.length }
}

import type { Either } from 'fp-ts/lib/Either.js'
import { exportForm, exportLine } from '../../../domain/kernel/proof/export-line.ts'
import { entryReader, openHead } from '../open-tree.ts'
import { copyTree } from './copy-tree.ts'
import type { ExportParts } from './export-parts.ts'
import { newFolder } from './new-folder.ts'
import { pairedLeaves } from './paired-leaves.ts'
import { writeAbout } from './write-about.ts'
import { writeLines } from './write-lines.ts'

interface ExportOptions {
  /** ISO 8601: events recorded earlier are left out, but not their entries. */
  readonly since?: string
  readonly onProgress: (leaves: number, of: number) => void
  readonly signal: AbortSignal
}

export interface Exported {
  readonly folder: string
  readonly origin: string
  /** Leaves of the tree. */
  readonly size: number
  readonly events: number
  /** Events whose bytes the log does not hold any more. */
  readonly deleted: number
  /** Those of them that a policy removed, as an event in the log tells. */
  readonly removed: number
}

/**
 * Writes what an outsider needs to check the history offline: the signed tree, its events in their stored bytes, keys and
 * a program. The folder gets its name when all of it is there. Left: why there is no export. Throws `NotAsSealed`,
 * `BrokenTree`, `UntrustedNote`, `UnavailableError`.
 */
export const exportLog = async (
  parts: ExportParts,
  to: string,
  options: ExportOptions,
): Promise<Either<string, Exported>> => {
  return newFolder(to, (folder) => fill(folder, parts, options))
}

const fill = async (folder: string, parts: ExportParts, options: ExportOptions) => {
  const { eventStore, files, head: checkpoint, verifiers, now } = parts
  const head = openHead(checkpoint, verifiers)
  await copyTree(files, head.size, folder)
  let [events, deleted, removed] = [0, 0, 0]
  let from: number | undefined
  await writeLines(`${folder}/events.ndjson`, async (add) => {
    for await (const { index, entry, leaf, event, why } of pairedLeaves(
      eventStore,
      entryReader(files, head.size),
      head.size,
    )) {
      options.signal.throwIfAborted()
      if (index % 1000n === 0n) options.onProgress(Number(index), Number(head.size))
      const isEarly =
        from === undefined && options.since !== undefined && leaf && leaf.recordedAt < options.since
      if (leaf === undefined || isEarly) continue
      from ??= Number(index)
      events++
      if (event === undefined) deleted++
      if (why?.by === 'policy') removed++
      await add(exportLine({ index, entry: Buffer.from(entry).toString(), event }))
    }
  })
  const scope = options.since
    ? `They are all that were recorded from ${options.since} on; \`tile/entries\` has what the tree holds of those before.`
    : 'They are all that happened until then.'
  await writeAbout(folder, parts, {
    scope: { form: exportForm, of: 'log', from: from ?? Number(head.size) },
    readme: { head, events, deleted, removed, scope, at: now },
  })
  return { origin: head.origin, size: Number(head.size), events, deleted, removed }
}

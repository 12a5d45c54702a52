import { isLeft } from 'fp-ts/lib/Either.js'
import { exportLog } from '../../app/proof/export/export-log.ts'
import { NotAsSealed } from '../../app/proof/export/paired-leaves.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import { writeThings } from './export-of-things.ts'
import { onOwnTree } from './own-tree.ts'

interface ExportOptions {
  readonly since?: string
  /** Up to the newest head, which witnesses may not have seen. */
  readonly newest?: boolean
  /** Names of things whose events alone are wanted. */
  readonly thing?: readonly string[]
  /** Into an OCFL object or a bag. */
  readonly within?: boolean
  /** With all entries behind the things' last events. */
  readonly whole?: boolean
}

export const run = async (
  session: Session,
  folder: string,
  { since, newest = false, thing: ids, within = false, whole = false }: ExportOptions,
): Promise<CliFailure | undefined> => {
  if (ids && since !== undefined)
    return usage('--thing and --since together', 'of a thing all events are exported: leave one of both out')
  if (within && !ids)
    return usage(
      '--within without --thing',
      'name the thing that the OCFL object or the bag is: --thing <id>',
    )
  if (whole && !ids)
    return usage('--whole without --thing', 'without --thing the whole history is exported: leave it out')
  const system = await session.system()
  return onOwnTree(system, async (tree) => {
    if (ids)
      return writeThings(session, system, tree, folder, {
        ids,
        isNewest: newest,
        isWithin: within,
        isWhole: whole,
      })
    const {
      files,
      head: { text: newestHead },
      witnessed,
      verifiers,
    } = tree
    const programs = await system.verifierPrograms()
    const { eventStore, clock } = system
    const head = newest ? newestHead : (witnessed ?? newestHead)
    const witnesses = await system.proofPolicy()
    const parts = { eventStore, files, head, verifiers, witnesses, programs, now: clock.now() }
    const progress = session.progress('Exporting the history')
    const exported = await exportLog(parts, folder, {
      ...(since !== undefined && { since }),
      onProgress: (leaves, of) => progress.part(leaves / of),
      signal: session.signal,
    })
      .catch((error: unknown) => {
        if (error instanceof NotAsSealed) return error
        throw error
      })
      .finally(() => progress.done())
    if (exported instanceof NotAsSealed)
      return refused(exported.message, '`fonds proof check` names all that differs')
    if (isLeft(exported)) return usage(exported.left)
    const { output } = session
    const { folder: written, origin, size, events, deleted, removed } = exported.right
    await output.write(
      output.isTTY
        ? `${plural(events, 'event')} of the ${count(size)} leaves that ${origin} signed are in ${written}.${
            deleted > 0
              ? ` Of ${plural(deleted, 'event')} the bytes were deleted, of ${removed} of them by policies that events tell of.`
              : ''
          }\nIts README.md says how anybody checks it: python3 verify.py .\n`
        : `${jsonText(exported.right)}\n`,
    )
    return undefined
  })
}

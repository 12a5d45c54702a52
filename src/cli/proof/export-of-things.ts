import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import {
  type ExportedThings,
  exportThings,
  NothingSealed,
  type Thing,
} from '../../app/proof/export/export-things.ts'
import { NotAsSealed } from '../../app/proof/export/paired-leaves.ts'
import { within } from '../../app/proof/export/within.ts'
import { thingOf } from '../../app/proof/thing/thing-of.ts'
import type { System } from '../../app/system.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { count, plural, visible } from '../output/text.ts'
import type { OwnTree } from './own-tree.ts'

interface WrittenThings {
  readonly ids: readonly string[]
  /** Up to the newest head, which witnesses may not have seen. */
  readonly isNewest: boolean
  /** Into an OCFL object or a bag. */
  readonly isWithin?: boolean
  /** With all entries behind the things' last events, though the archive stated since that they are the last. */
  readonly isWhole?: boolean
}

/** Writes the proof of things into a folder, and says what it proves. */
export const writeThings = async (
  session: Session,
  system: System,
  { files, head: { text: newestHead }, witnessed, verifiers }: OwnTree,
  to: string,
  { ids, isNewest, isWithin = false, isWhole = false }: WrittenThings,
): Promise<CliFailure | undefined> => {
  const things = await namedThings(session, system, ids)
  if (isLeft(things)) return things.left
  const programs = await system.verifierPrograms()
  const witnesses = await system.proofPolicy()
  const { eventStore, clock } = system
  const write = async (head: string): ReturnType<typeof exportThings> => {
    const progress = session.progress('Collecting the proofs')
    const parts = { eventStore, files, head, verifiers, witnesses, programs, now: clock.now() }
    const onProgress = (leaves: number, of: number) => progress.part(leaves / of)
    const into = (folder: string) =>
      exportThings(parts, folder, things.right, { isWhole, onProgress, signal: session.signal })
    try {
      return isWithin ? await within(to, into) : await into(to)
    } finally {
      progress.done()
    }
  }
  try {
    const exported = await write(isNewest ? newestHead : (witnessed ?? newestHead))
    if (isLeft(exported)) return usage(exported.left)
    const { output } = session
    await output.write(
      output.isTTY
        ? `${sentences(exported.right, ids).map(visible).join('\n')}\n`
        : `${jsonText(exported.right)}\n`,
    )
    return undefined
  } catch (error) {
    if (error instanceof NotAsSealed)
      return refused(error.message, '`fonds proof check` names all that differs')
    if (error instanceof NothingSealed)
      return refused(
        `${error.message} is sealed`,
        witnessed !== undefined && !isNewest
          ? '--newest takes the newest head, which no witness cosigned yet'
          : 'the newest events are sealed within ten seconds while `fonds start` runs',
      )
    throw error
  }
}

const namedThings = async (
  session: Session,
  system: System,
  ids: readonly string[],
): Promise<Either<CliFailure, readonly Thing[]>> => {
  // Only views know the events in other streams.
  await freshViews(session, system, projectionsOf(system.workflows.filter(({ elsewhere }) => elsewhere)))
  const things: Thing[] = []
  for (const id of new Set(ids)) {
    const thing = await thingOf(system, id)
    if (!thing) return left(unknownThing(system, id))
    things.push(thing)
  }
  return right(things)
}

export const unknownThing = (system: System, id: string): CliFailure => {
  const near = nearIds(system, id)
  return refused(
    `nothing is known of ${id}`,
    near.length > 0
      ? `did you mean ${near.join(', or ')}?`
      : '`fonds find` looks for paths, names and numbers',
  )
}

/** Says both: the part that is proven, and the part that is not. */
const sentences = (
  { folder, origin, size, events, elsewhere, deleted, unsealed, streams, rest, stated }: ExportedThings,
  ids: readonly string[],
): readonly string[] => [
  ...(stated
    ? [
        `${folder} has ${plural(events, 'event')} of ${streams.join(', ')}, each proven to be among the ${count(size)} leaves that ${origin} signed: ${plural(rest ?? 0, 'entry', 'entries')} from leaf ${count(size - (rest ?? 0))} on show that there are no more behind it.`,
        `That there are no more before it, leaf ${count(stated.leaf)} states: the archive's own word on its first ${count(stated.size)} leaves. --whole has all entries instead.`,
      ]
    : [
        `${folder} proves that ${streams.join(', ')} had ${plural(events, 'event')} and no other when ${origin} signed ${count(size)} leaves: ${plural(rest ?? 0, 'entry', 'entries')} from the last on show that there are no more.`,
      ]),
  ...(elsewhere > 0
    ? [
        `${plural(elsewhere, 'event')} of other streams concern${elsewhere === 1 ? 's' : ''} ${ids.join(', ')}, too: each is proven, not that there are no more.`,
      ]
    : []),
  ...(deleted > 0 ? [`Of ${plural(deleted, 'event')} the bytes were deleted.`] : []),
  ...(unsealed > 0 ? [`Not in it, because that head is older: ${plural(unsealed, 'event')}.`] : []),
  'It does not prove that what they say is true, nor that nothing else was written of it elsewhere. Its README.md says how anybody checks it: python3 verify.py .',
]

import { openForPerson } from '../../app/config/file-modes.ts'
import { viewProofText } from '../../app/proof/verify/verify-view.ts'
import { proveRow } from '../../app/proof/views/row-proof.ts'
import { sealedStatement } from '../../app/proof/views/statement.ts'
import { sealedBy } from '../../app/sealed-by.ts'
import type { System } from '../../app/system.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import {
  sealedViewEvents,
  sealedViewRecord,
  sealedViewStream,
  type ViewSealed,
} from '../../domain/kernel/proof/statements.ts'
import type { Value, ViewShape } from '../../domain/kernel/view.ts'
import type { ViewSnapshot } from '../../ports/view-store.ts'
import { readOrStop } from '../../processors/runtime/read-or-stop.ts'
import { inSnapshot, sealOf } from '../../workflows/system/seal-view.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'
import { onOwnTree } from './own-tree.ts'

interface ViewOptions {
  readonly row?: readonly string[]
  readonly seal?: boolean
  readonly actor?: string
  readonly reason?: string
  readonly output?: string
}

/** A statement on a view, and whether it is one on the rows of the snapshot. */
interface Sealed {
  readonly event: Pick<RecordedEvent, 'stream' | 'revision'>
  readonly data: ViewSealed
  readonly isNow: boolean
}

export const run = async (
  session: Session,
  view: string,
  options: ViewOptions,
): Promise<CliFailure | undefined> => {
  const { row, seal = false, actor, reason, output: given } = options
  if (seal && (actor === undefined || reason === undefined))
    return usage(
      '--seal is a statement of the archive',
      'who wants it, and why? --actor <name> --reason <text>',
    )
  const system = await session.system()
  const projections = projectionsOf(system.workflows)
  const projection = projections.find(({ views }) => views.some(({ name }) => name === view))
  if (!projection) {
    const names = projections.flatMap(({ views }) => views.map(({ name }) => name))
    return refused(`there is no view ${view}`, didYouMean(view, names))
  }
  const shape = projection.views.find(({ name }) => name === view)!
  if (row && row.length !== shape.key.length)
    return usage(`--row takes the key of the row: ${shape.key.join(', ')}`)
  return onOwnTree(system, async () => {
    await freshViews(session, system, [projection])
    return inSnapshot(system.viewStore, async (snapshot) => {
      const sealed = await sealedIn(
        session,
        system,
        snapshot,
        view,
        seal ? { actor: actor!, reason: reason! } : undefined,
      )
      if (!sealed) return refused(`the rows of ${view} were not sealed yet`, sealHint(view))
      if (row && !sealed.isNow)
        return refused(
          `${view} has other rows now than when it was sealed at ${sealed.data.at}`,
          sealHint(view),
        )
      const proven =
        row && (await proveRow(snapshot, view, keyIn(shape, row), BigInt(sealed.data.rows), session.signal))
      if (row && !proven) return refused(`${view} has no row ${row.join(', ')}`)
      const statement = await sealedStatement(system, sealed.event, session.signal)
      if (!statement)
        return refused(
          'the statement is not in the tree',
          'run `fonds start`, which seals within ten seconds; `fonds proof check` says what is wrong with the tree',
        )
      const file = given ?? `${view}.view-proof.json`
      write(
        file,
        viewProofText({
          form: 'fonds.view-proof/v1',
          statement,
          ...(proven && {
            row: {
              index: Number(proven.index),
              entry: Buffer.from(proven.entry).toString(),
              proof: proven.proof.map((one) => Buffer.from(one).toString('base64')),
            },
          }),
        }),
      )
      const { rows, position, at, root } = sealed.data
      const { output } = session
      await output.write(
        output.isTTY
          ? `${visible(`${file} proves ${proven ? `row ${proven.index} of ` : ''}the ${plural(rows, 'row')} of ${view}, as they were sealed at ${at}${proven || sealed.isNow ? '' : '; it has other rows now'}.`)}\n`
          : `${jsonText({ file, view, rows, position, root, at, isNow: sealed.isNow, ...(proven && { index: proven.index }) })}\n`,
      )
      return undefined
    })
  })
}

const sealHint = (view: string): string =>
  `seal them as they are now: fonds proof view ${view} --seal --actor <you> --reason <why>`

/** Keys of columns with numbers are typed as numbers. */
const keyIn = ({ key, columns }: ViewShape, typed: readonly string[]): readonly Value[] =>
  key.map((column, i) => (columns[column] === 'text' ? typed[i]! : Number(typed[i])))

const write = (file: string, text: string): void => {
  const whole = openForPerson(file)
  try {
    whole.write(text)
    whole.done()
  } finally {
    whole.close()
  }
}

/** The newest statement, or a new one on the rows of this snapshot. */
const sealedIn = async (
  session: Session,
  system: System,
  snapshot: ViewSnapshot,
  view: string,
  by: { readonly actor: string; readonly reason: string } | undefined,
): Promise<Sealed | undefined> => {
  const { eventStore, clock } = system
  const stream = sealedViewStream(view)
  const now = await sealOf(snapshot, view, session.signal)
  const wanted = by && (await orThrow(sealedBy(system, by), 'personal values'))
  if (wanted) {
    const { actor, reason } = wanted
    const at = clock.now()
    await orThrow(() =>
      system.execute(sealedViewRecord, {
        stream,
        command: { type: 'Seal', actor, at, data: { ...now, at, reason } },
        causationId: `${view}/${now.position}/${at}`,
      }),
    )
  }
  const [last] = await orThrow(eventStore.read(stream, 'end', 'backward', 1))
  if (!last) return undefined
  const { data } = readOrStop(sealedViewEvents, last)
  const isNow = data.root === now.root && data.rows === now.rows
  return { event: last, data, isNow }
}

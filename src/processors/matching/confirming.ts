import * as E from 'fp-ts/lib/Either.js'
import { plural } from '../../domain/kernel/amounts.ts'
import { clip } from '../../domain/kernel/clip.ts'
import { is, narrowRows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { RowOf, Views } from '../../domain/kernel/view.ts'
import { visible } from '../../domain/kernel/visible.ts'
import { graphContent, type RecordContent } from '../../domain/matching/verdicts/content.ts'
import type { ConfirmGraph, ConfirmRecord } from '../../domain/matching/verdicts/decide.ts'
import type { SeenVersion } from '../../domain/matching/verdicts/events.ts'
import { generations, graphs, members, verdicts, works } from '../../domain/matching/views.ts'
import type { By, ResolvedByViews } from '../runtime/operator-command.ts'

/** A verdict as a person gives it. */
export interface Confirmed {
  readonly work: string
  /** The record alone is meant: its content, which changed under one version. */
  readonly record?: boolean
  /** The version of the graph, or the number of corrections of the record, that was looked at. */
  readonly seen?: number
}

/** The command that a verdict becomes; `refusal`: why it is not given. */
export interface Resolved extends Confirmed {
  readonly command: Unsigned<ConfirmGraph> | Unsigned<ConfirmRecord>
  readonly refusal?: Rejection
}

type Unsigned<Of> = Omit<Of, keyof By>

type ViewReader = Pick<Views, 'query'>
type GraphRow = RowOf<typeof graphs>

/** Works of a graph that a verdict is about: more are read for too long, and are no one thing. */
const maxWorks = 100_000

export const resolveConfirmed = (input: Confirmed): ResolvedByViews<Confirmed> =>
  input.record ? (views) => recordOf(views, input) : (views) => graphOf(views, input)

const recordOf = (views: ViewReader, input: Confirmed): E.Either<Rejection, Resolved> => {
  const [row] = rowsIfFolded(views, works, { where: [is('work', input.work)] })
  if (!row) return unknown(input.work)
  const { corrections } = row
  const refusal =
    corrections === null
      ? because(
          'not-corrected',
          `${shown(input.work)} is not listed as corrected: there is nothing to confirm`,
        )
      : input.seen !== undefined && input.seen !== corrections
        ? because('graph-changed', `${shown(input.work)} was corrected ${again}`)
        : undefined
  const command = { type: 'ConfirmRecord', work: input.work, corrections: corrections ?? 0 } as const
  return E.right({ ...input, command, ...(refusal && { refusal }) })
}

const again = 'again since it was looked at; look at it once more'

const graphOf = (views: ViewReader, input: Confirmed): E.Either<Rejection, Resolved> => {
  const all = rowsIfFolded(views, generations).filter(({ status }) => status !== 'dropped')
  const live = all.find(({ status }) => status === 'live')?.generation ?? 1
  const graph = graphIn(views, live, input.work)
  if (!graph) return unknown(input.work)
  const { version, size } = graph
  const work = graph.component ?? input.work
  if (version === null || size === null) return unknown(work)
  if (size > maxWorks)
    return reject(
      'too-large',
      `the graph of ${shown(work)} holds ${plural(size, 'work')}; of more than ${plural(maxWorks, 'work')} nobody can say that it is right`,
    )
  const content = contentOf(views, graph)
  const versions = all.flatMap(({ generation }): readonly SeenVersion[] => {
    const other = generation === live ? graph : graphIn(views, generation, work)
    const isSame =
      other === graph ||
      (other?.component === work && other.size === size && contentOf(views, other) === content)
    return isSame && other?.version ? [[generation, other.version]] : []
  })
  const isChanged = input.seen !== undefined && input.seen !== version
  return E.right({
    ...input,
    work,
    command: { type: 'ConfirmGraph', work, content, size, versions },
    ...(isChanged && {
      refusal: because('graph-changed', `the graph of ${shown(input.work)} changed ${again}`),
    }),
  })
}

const graphIn = (views: ViewReader, generation: number, work: string): GraphRow | undefined => {
  const [member] = rowsIfFolded(views, members, { where: [is('id', work), is('generation', generation)] })
  if (!member) return undefined
  return rowsIfFolded(views, graphs, {
    where: [is('graph', member.graph), is('generation', generation)],
  })[0]
}

const contentOf = (views: ViewReader, { generation, graph }: GraphRow): string => {
  const ids = narrowRows(views, members, ['id', 'placeholder'], {
    where: [is('graph', graph), is('generation', generation)],
    orderBy: [{ column: 'graph' }],
  })
  return graphContent(
    ids.flatMap(({ id, placeholder }): readonly RecordContent[] =>
      placeholder === 1
        ? []
        : narrowRows(views, works, ['work', 'source', 'state', 'title', 'links'], {
            where: [is('work', id)],
          }),
    ),
  )
}

/** The verdict that stands about the work's graph as it is; else the one under the work's own name, though it counts no more. */
export const resolveUnconfirmed =
  ({ record, work }: Confirmed): ResolvedByViews<Confirmed> =>
  (views) => {
    const what = record ? 'record' : 'graph'
    const generation = rowsIfFolded(views, generations, { where: [is('status', 'live')] })[0]?.generation ?? 1
    const named = record ? undefined : graphIn(views, generation, work)?.component
    const stands = (name: string) =>
      rowsIfFolded(views, verdicts, { where: [is('work', name), is('what', what)] }).length > 0
    const found = [named, work].find((name) => typeof name === 'string' && stands(name))
    return found
      ? E.right({ work: found, ...(record && { record }) })
      : reject(
          'not-confirmed',
          `nobody confirmed the ${what} of ${shown(work)}; \`fonds matching confirmed\` lists what was`,
        )
  }

const shown = (work: string): string => visible(clip(work, 100))

const unknown = (work: string): E.Either<Rejection, never> =>
  reject('unknown-work', `nothing is known of ${shown(work)}, or it is in no graph yet`)

const because = (code: string, message: string): Rejection => ({ code, message })

const reject = (code: string, message: string): E.Either<Rejection, never> => E.left(because(code, message))

import { isLeft } from 'fp-ts/lib/Either.js'
import { commandLine } from '../../projections/runtime/finder.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { readHistory, timeline } from '../history-lines.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { parsePoint } from '../point.ts'

interface HistoryOptions {
  readonly asOf?: string
}

export const run = async (
  session: Session,
  id: string,
  options: HistoryOptions,
): Promise<CliFailure | undefined> => {
  const point = options.asOf === undefined ? undefined : parsePoint(options.asOf)
  if (point && isLeft(point)) return usage(point.left)
  const home = await session.home()
  // Only views know the events in other streams.
  await freshViews(session, home, projectionsOf(home.workflows.filter(({ elsewhere }) => elsewhere)))
  const events = await readHistory(home, id, point?.right)
  if (events.length === 0) {
    const near = nearIds(home, id)
    return refused(
      `nothing is known of ${id}${options.asOf === undefined ? '' : ` as of ${options.asOf}`}`,
      near.length > 0
        ? `did you mean ${near.join(', or ')}?`
        : `\`${commandLine('find', id)}\` looks for paths, names and numbers that begin so`,
    )
  }
  const { output } = session
  const lines = output.isTTY ? timeline(events, output.colour) : events.map(jsonText)
  await output.write(lines.map((line) => `${line}\n`).join(''))
  return undefined
}

import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { projectionsOf } from '../workflows/workflow.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { freshViews } from './fresh-views.ts'
import { readHistory, timeline } from './history-lines.ts'
import { nearIds } from './near-ids.ts'
import { type CliFailure, refused, usage } from './output/exit-codes.ts'
import { jsonText } from './output/format.ts'
import { asOfOption, parsePoint } from './point.ts'

interface HistoryOptions {
  readonly asOf?: string
}

export const registerHistory = (program: Command, context: CliContext): void => {
  const command = program
    .command('history')
    .summary('show everything that ever happened to one thing')
    .description(
      'Every event of one thing, across all workflows: when, what happened, who did it, where it stands.',
    )
    .argument('<id>', 'what the thing is called: <store>/<path> for an item, <store> for a store')
    .option(...asOfOption)
    .action(running(context, history))
  addExamples(command, [
    ['history main/letters/1912/03.tif', 'the life of one file'],
    ['history main', 'what happened to the store main'],
    ['history main/letters/1912/03.tif --as-of 2026-01-31T12:00:00Z | jq .type', 'what was known that noon'],
  ])
}

const history = async (
  session: Session,
  id: string,
  options: HistoryOptions,
): Promise<CliFailure | undefined> => {
  const point = options.asOf === undefined ? undefined : parsePoint(options.asOf)
  if (point && isLeft(point)) return usage(point.left)
  const system = await session.system()
  // Of what stands in other streams only views know where.
  await freshViews(session, system, projectionsOf(system.workflows.filter(({ elsewhere }) => elsewhere)))
  const events = await readHistory(system, id, point?.right)
  if (events.length === 0) {
    const near = nearIds(system, id)
    return refused(
      `nothing is known of ${id}${options.asOf === undefined ? '' : ` as of ${options.asOf}`}`,
      near.length > 0
        ? `did you mean ${near.join(', or ')}?`
        : '`fonds query` lists the views that name things',
    )
  }
  const { output } = session
  const lines = output.isTTY ? timeline(events, output.colour) : events.map(jsonText)
  await output.write(lines.map((line) => `${line}\n`).join(''))
  return undefined
}

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import { compareGenerations } from '../../projections/matching/compare-generations.ts'
import { matching as projection } from '../../projections/matching/projection.ts'
import { generationOf } from '../../projections/matching/reading.ts'
import { askCommand } from '../ask-command.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { tell } from './ask.ts'
import { type By, byOptions } from './change.ts'
import { comparisonLines } from './compare.ts'
import { untilBuilt } from './until-built.ts'

interface ReindexFlags extends By {
  readonly rules?: string
  readonly wait?: boolean
}

export const registerReindex = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('reindex')
    .summary('build another generation of all documents, beside the live one')
    .description(
      'Readers keep what they have until you switch. `fonds start` builds it; with --wait this command does, or ' +
        'watches who does, then compares it with the live one.',
    )
    .option(
      '--rules <file>',
      'JSON: {"precedence": […], "neverTarget": […], "fields": {"subjects": "union"}}; what it leaves out is the default',
    )
    .option('--wait', 'stay until it is built')
  byOptions(command, 'reindex').action(running(context, reindexCommand))
  addExamples(command, [
    [
      'matching reindex --rules rules.json --wait --reason "pictures first"',
      'builds it, and shows what differs',
    ],
    ['matching switch 2 --reason "pictures first"', 'then gives it to readers'],
  ])
}

const reindexCommand = async (
  session: Session,
  { rules: file, wait, actor, reason }: ReindexFlags,
): Promise<CliFailure | undefined> => {
  const rules = file === undefined ? undefined : parseJson(await readFile(file, 'utf8'))
  if (rules && isLeft(rules)) return usage(`${file}: ${rules.left.message}`)
  const system = await session.system()
  await freshViews(session, system, [projection])
  const input = rules ? { rules: rules.right } : {}
  const generation = startedIn(await askCommand(system, 'matching.reindex', input, { actor, reason }))
  if (!wait) {
    const { output } = session
    await output.write(
      output.isTTY
        ? `generation ${generation} is to be built: \`fonds matching generations\` shows when it is ready\n`
        : `${jsonText({ generation })}\n`,
    )
    return undefined
  }
  await untilBuilt(session, system, generation)
  const live = generationOf(system.viewStore, {})
  const comparison = await compareGenerations(system.viewStore, live, generation)
  return tell(session, undefined, { generation, comparison }, () => [
    `generation ${generation} is ready; \`fonds matching switch ${generation}\` gives it to readers`,
    ...comparisonLines(comparison),
  ])
}

const startedIn = (events: readonly DomainEvent[]): number => {
  const started = events.find(({ type }) => type === 'GenerationStarted')
  if (!started) throw new Error('no generation was started')
  return (started.data as { readonly generation: number }).generation
}

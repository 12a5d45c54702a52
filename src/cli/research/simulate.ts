import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { mostLeases, proposedPolicy, simulationAnswer } from '../../api/research/simulate.ts'
import { sinceOf } from '../../domain/kernel/since.ts'
import { boardName, loadBoard } from '../../processors/research/board-load.ts'
import { PolicyChanges } from '../../processors/research/operator-inputs.ts'
import { leasesSince, readLeaseFacts } from '../../projections/research/lease-facts.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { decodeFields, parseFields } from '../do/read-fields.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { askResearch, type Format, formatOption, tell } from './ask.ts'
import { simulationLines } from './simulate-lines.ts'

interface SimulateFlags {
  readonly since: string
  readonly count: number
  readonly format?: Format
}

export const registerSimulate = (research: Command, context: CliContext): void => {
  const command = research
    .command('simulate')
    .summary('what other settings would have meant, and would mean, before `fonds do research.set-policy`')
    .description(
      'Goes through the leases of late as they would have gone by other settings, and holds what would be handed out ' +
        'next beside what is. It changes nothing, and refuses what research.set-policy would refuse.',
    )
    .argument('<settings...>', 'key=value each, as research.set-policy takes them')
    .option('--since <when>', 'leases granted since: 7d, 12h, 30min, or a time with a zone', '7d')
    .option('--count <n>', 'so many of the next items', positiveNumber, 5)
    .addOption(formatOption())
    .action(running(context, simulateCommand))
  addExamples(command, [
    [
      'research simulate leaseSeconds=3600 itemSeconds=1800',
      'how many leases of the last week would have run out',
    ],
    ['research simulate maxClips=50 --since 30d', 'what would be handed out next, in smaller items'],
  ])
}

const simulateCommand = async (
  session: Session,
  fields: readonly string[],
  { since: sinceText, count, format }: SimulateFlags,
): Promise<CliFailure | undefined> => {
  const given = parseFields(fields)
  const changes = isLeft(given) ? given : decodeFields(PolicyChanges, given.right)
  if (isLeft(changes)) return usage(changes.left.message, changes.left.hint)
  const { eventStore, snapshots, clock } = await session.system()
  const at = clock.now()
  const since = sinceOf(sinceText, at)
  if (since === undefined)
    return usage(
      `--since ${JSON.stringify(sinceText)} is neither a period (7d, 12h, 30min) nor a time with a zone`,
    )

  const { board } = await loadBoard(boardName, eventStore, snapshots, session.signal)
  const policy = proposedPolicy(board, changes.right, at)
  if (isLeft(policy)) return refused(policy.left.message)
  const past = await askResearch(session, {}, (views) => leasesSince(views, since, mostLeases))
  if (isLeft(past)) return past.left
  const { granted, latest } = past.right
  const leases = await readLeaseFacts(eventStore, latest, session.signal)
  const answer = simulationAnswer(board, policy.right, { granted, leases }, { at, since, most: count })
  return tell(session, format, answer, () => simulationLines(answer, session.output.width()))
}

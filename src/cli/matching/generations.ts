import { type Command, InvalidArgumentError, Option } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { wholeNumber } from '../numbers.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { defaultFormat, type Format, formats, writeRows } from '../output/format.ts'
import type { Column } from '../output/table.ts'
import { askMatching } from './ask.ts'
import { type By, byOptions, change, tellChange } from './change.ts'

export const registerGenerations = (matching: Command, context: CliContext): void => {
  const list = matching
    .command('generations')
    .summary('the indexes that there are, and which one readers get')
    .addOption(new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats]))
    .action(running(context, listCommand))
  addExamples(list, [['matching generations', 'which is live, which is built beside it']])

  const switching = matching
    .command('switch')
    .summary('give readers another generation')
    .description('The one that readers had is kept up to date: switching back is as quick.')
    .argument('<generation>', '', generationNumber)
    .option('--anyway', 'while a part of it is missing, too: readers miss those works until it is there')
  byOptions(switching, 'switch').action(running(context, switchCommand))
  addExamples(switching, [
    ['matching switch 2 --reason "subjects of all records"', 'readers get generation 2 from now on'],
  ])

  const drop = matching
    .command('drop')
    .summary('end a generation that readers do not get')
    .description('Nothing is added to it any more, and its number is not used again.')
    .argument('<generation>', '', generationNumber)
  byOptions(drop, 'drop').action(running(context, dropCommand))
  addExamples(drop, [
    ['matching drop 1 --reason "replaced by 2"', 'generation 1 is no longer kept up to date'],
  ])
}

export const generationNumber = (text: string): number => {
  const number = wholeNumber(text)
  if (number > 0) return number
  throw new InvalidArgumentError('Generations are numbered from 1.')
}

/** Nobody switches twice a minute; so there is room for the reason. */
const toTheMinute = (time: unknown): string =>
  typeof time === 'string' ? `${time.slice(0, 16).replace('T', ' ')}Z` : ''

const columns: readonly Column[] = [
  { key: 'generation' },
  { key: 'status', tone: (status) => (status === 'live' ? 'good' : undefined) },
  { key: 'listedAt', title: 'built', show: toTheMinute },
  { key: 'switchedAt', title: 'switched to', show: toTheMinute },
  { key: 'reason' },
]

const listCommand = async (
  session: Session,
  { format }: { readonly format?: Format },
): Promise<CliFailure | undefined> => {
  const found = await askMatching(session, {}, (views) => views.query('matching-generations', {}))
  if (isLeft(found)) return found.left
  const shownAs = format ?? defaultFormat(session.output)
  if (found.right.length === 0 && session.output.isTTY)
    session.say('generation 1 is live, and nothing has come in yet')
  else
    await writeRows(session.output, [found.right], {
      format: shownAs,
      ...(shownAs === 'table' && { columns }),
    })
  return undefined
}

const switchCommand = async (
  session: Session,
  generation: number,
  { anyway = false, ...by }: By & { readonly anyway?: boolean },
): Promise<CliFailure | undefined> => {
  const events = await change(session, 'switch', { generation, anyway }, by)
  return tellChange(session, 'switch', events, `readers get generation ${generation} from now on`)
}

const dropCommand = async (session: Session, generation: number, by: By): Promise<CliFailure | undefined> => {
  const events = await change(session, 'drop', { generation }, by)
  return tellChange(session, 'drop', events, `generation ${generation} is ended`)
}

import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { type DispatchedBy, dispatch, resolved } from '../../app/dispatch.ts'
import { secretIds } from '../../app/secret-ids.ts'
import type { System } from '../../app/system.ts'
import { finishAll } from '../../async/finish-all.ts'
import { asksViews, type OperatorCommand } from '../../processors/runtime/operator-command.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import { openInput } from '../produce/input.ts'
import { notExecuted } from './not-executed.ts'
import { readList, type Wish } from './read-list.ts'

/** Outcomes of the lines. */
interface Summary {
  readonly command: string
  /** Lines that are dispatched again under it have their effect once. */
  readonly id: string
  readonly lines: number
  done: number
  unchanged: number
  repeated: number
  rejected: number
  readonly rejections: { readonly line: number; readonly message: string }[]
}

/** Most invalid lines, or rejections on a terminal, that are listed; all are counted. */
const maxListed = 100
/** Dispatched concurrently, so that they become durable together. */
const atOnce = 64

/** Dispatches the command for each line of a file, or of standard input; none until all are valid. */
export const dispatchEach = async (
  session: Session,
  command: OperatorCommand,
  file: string,
  common: Readonly<Record<string, unknown>>,
  { actor, reason, key: id = uuid() }: DispatchedBy,
): Promise<CliFailure | undefined> => {
  const wishes = await readWishes(session, command, file, common)
  if (isLeft(wishes)) return wishes.left
  const system = await session.system()
  if (wishes.right.some(({ input }) => asksViews(command, input))) await freshViews(session, system)

  const summary: Summary = {
    command: command.name,
    id,
    lines: wishes.right.length,
    done: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
    rejections: [],
  }
  const idOf = await secretIds(system)
  const stopped = await dispatchAll(
    session,
    system,
    command,
    wishes.right.map(({ key, ...wish }) => ({ ...wish, key: idOf(key) })),
    { actor, reason, key: id },
    summary,
  )
  if (summary.done > 0 && !stopped) await bringToRest(session, system, 'what could be done is in the log')
  summary.rejections.sort((one, other) => one.line - other.line)
  await writeSummary(session, summary)
  if (stopped) return { ...stopped, hint: again(summary) }
  return summary.rejected > 0
    ? refused(`${count(summary.rejected)} of ${plural(summary.lines, 'line')} rejected`, again(summary))
    : undefined
}

const again = ({ id }: Summary): string =>
  `give the same again with --id ${id}: what was done has its effect once`

const readWishes = async (
  session: Session,
  { codec }: OperatorCommand,
  file: string,
  common: Readonly<Record<string, unknown>>,
): Promise<Either<CliFailure, readonly Wish[]>> => {
  const input = await openInput(session, file)
  if (isLeft(input)) return input
  const { chunks, name } = input.right
  const wishes = await readList(chunks, codec, common).catch((error) => {
    session.signal.throwIfAborted()
    throw error
  })
  if (isLeft(wishes)) return left(invalidLines(name, wishes.left))
  return wishes.right.length > 0
    ? wishes
    : left(usage(`${name} holds no line`, 'write a JSON object a line, with the fields that differ'))
}

const invalidLines = (name: string, sentences: readonly string[]): CliFailure => {
  const notListed = sentences.length - maxListed
  return usage(
    [
      `${name}: ${plural(sentences.length, 'line')} cannot be used, and nothing was done:`,
      ...sentences.slice(0, maxListed).map((sentence) => `  ${sentence}`),
      ...(notListed > 0 ? [`  … and ${plural(notListed, 'more line')}`] : []),
    ].join('\n'),
    'mend them, and give the list again',
  )
}

/** Dispatches concurrently, but lines of the same stream in order. Returns why it ended early. */
const dispatchAll = async (
  session: Session,
  system: System,
  command: OperatorCommand,
  wishes: readonly Wish[],
  by: DispatchedBy & { readonly key: string },
  summary: Summary,
): Promise<CliFailure | undefined> => {
  let failure: CliFailure | undefined
  const progress = session.progress(`Giving ${command.name}`, { total: wishes.length })

  const dispatchInOrder = async (some: readonly Wish[]): Promise<void> => {
    for (const { line, input, key } of some) {
      const executed = await dispatch(system, command, input, { ...by, key: `${by.key}/${key}` })
      const outcome = isLeft(executed) ? notExecuted(executed.left) : executed.right
      if (outcome.kind === 'away') {
        failure = outcome
        return
      }
      progress.advance()
      if (outcome.kind === 'rejected' || outcome.kind === 'refused' || outcome.kind === 'usage') {
        summary.rejected++
        const { message } = outcome.kind === 'rejected' ? outcome.rejection : outcome
        summary.rejections.push({ line, message })
      } else summary[outcome.kind]++
    }
  }

  try {
    for (let from = 0; from < wishes.length && !failure; from += atOnce) {
      if (session.signal.aborted)
        return refused(`stopped after ${count(from)} of ${plural(wishes.length, 'line')}`)
      const { actor, reason } = by
      const streamOf = ({ input }: Wish) => {
        const meant = resolved(system, command, input)
        if (isLeft(meant)) return command.name
        return command.route(meant.right, { actor, reason, at: system.clock.now() }).stream
      }
      const groups = Map.groupBy(wishes.slice(from, from + atOnce), streamOf)
      await finishAll([...groups.values()].map(dispatchInOrder))
    }
    return failure
  } finally {
    progress.done()
  }
}

const writeSummary = async ({ output }: Session, summary: Summary): Promise<void> => {
  if (!output.isTTY) return writeRows(output, [[{ ...summary }]])
  const { command, lines, done, unchanged, repeated, rejected, rejections } = summary
  if (rejections.length > 0)
    await writeRows(output, [rejections.slice(0, maxListed)], {
      columns: [{ key: 'line' }, { key: 'message', tone: () => 'bad' }],
    })
  if (rejections.length > maxListed)
    await output.write(`… and ${plural(rejections.length - maxListed, 'more line')} rejected\n`)
  await output.write(
    `${command}, ${plural(lines, 'line')}: ${count(done)} done, ${count(unchanged)} true already, ` +
      `${repeated > 0 ? `${count(repeated)} done before, ` : ''}${count(rejected)} rejected.\n`,
  )
}

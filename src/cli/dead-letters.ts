import type { Command } from 'commander'
import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import {
  type DeadLetterFailure,
  discardDeadLetter,
  retryDeadLetter,
  type Settled,
  type SettledBy,
  showDeadLetter,
} from '../app/dead-letter-service.ts'
import type { System } from '../app/system.ts'
import { parseWhere } from '../app/view-question.ts'
import { type ConditionOn, countRows, is, rows } from '../domain/kernel/read-views.ts'
import { pagesOf } from '../domain/kernel/view-pages.ts'
import { letters } from '../domain/kernel/views.ts'
import { deadLetters } from '../projections/kernel/dead-letters.ts'
import { bringToRest } from './at-rest.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { freshViews } from './fresh-views.ts'
import { collect, wholeNumber } from './numbers.ts'
import { away, type CliFailure, refused, usage } from './output/exit-codes.ts'
import { jsonText, writeRows } from './output/format.ts'
import { plural, visible } from './output/text.ts'

interface ListOptions {
  readonly status: string
  readonly where?: readonly string[]
  readonly limit?: number
}

interface SettleOptions {
  readonly actor?: string
  readonly reason?: string
  readonly all?: boolean
  readonly where?: readonly string[]
  readonly yes?: boolean
}

type Settle = (system: System, id: string, by: SettledBy) => Promise<Either<DeadLetterFailure, Settled>>

const where = ['--where <condition>', 'column=value, as in `fonds query`; may be repeated', collect] as const

export const registerDeadLetters = (program: Command, context: CliContext): void => {
  const command = program
    .command('dead-letters')
    .summary('look after messages that could not be used')
    .description(
      'Messages that could not be used are kept whole, with the reason, until a person retries or discards them.',
    )
  addExamples(command, [
    ['dead-letters list', 'what waits for a person'],
    ['dead-letters show <id>', 'one of them whole, as it came'],
    [
      'dead-letters retry <id> --actor r.vermeer --reason "the codec was mended"',
      'puts it on its topic again',
    ],
    [
      'dead-letters discard --all --where reason=not-json --actor r.vermeer --reason "test traffic" --yes',
      'settles many at once',
    ],
  ])

  const list = command
    .command('list')
    .description('Dead letters, the oldest first.')
    .option('--status <status>', 'waiting, retried, discarded or all', 'waiting')
    .option(...where)
    .option('--limit <n>', 'most of them', wholeNumber)
    .action(running(context, listLetters))
  addExamples(list, [['dead-letters list --where topic=fonds.fixity.content', 'those of one topic']])

  const show = command
    .command('show')
    .description('One dead letter whole, with the message as it came.')
    .argument('<id>')
    .action(running(context, showLetter))
  addExamples(show, [['dead-letters show <id> | jq -r .value', 'the message alone']])

  for (const [verb, description, settle] of [
    ['retry', 'Puts the message on its topic again, as it came, and handles it.', retryDeadLetter],
    ['discard', 'Notes that it is not needed. It stays readable.', discardDeadLetter],
  ] as const) {
    const settling = command
      .command(verb)
      .description(description)
      .argument('[id]')
      .option('--actor <name>', 'who wants it')
      .option('--reason <text>', 'why')
      .option('--all', 'all that wait')
      .option(...where)
      .option('--yes', 'go on without asking; needed with --all')
      .action(
        running(context, (session, id: string | undefined, options: SettleOptions) =>
          settleLetters(session, verb, settle, id, options),
        ),
      )
    addExamples(settling, [[`dead-letters ${verb} <id> --actor r.vermeer --reason <why>`, description]])
  }
}

const listLetters = async (session: Session, options: ListOptions): Promise<CliFailure | undefined> => {
  const statuses = ['waiting', 'retried', 'discarded', 'all']
  if (!statuses.includes(options.status))
    return usage(`--status ${options.status} is none of ${statuses.join(', ')}`)
  const conditions = parseWhere(options.where ?? [], letters)
  if (isLeft(conditions)) return usage(conditions.left)
  const system = await session.system()
  await freshViews(session, system, [deadLetters])
  const asked =
    options.status === 'all' ? conditions.right : [...conditions.right, withStatus(options.status)]
  const pages = pagesOf(system.viewStore, letters, {
    where: asked,
    orderBy: [{ column: 'at' }],
    ...(options.limit !== undefined && { limit: options.limit }),
  })
  await writeRows(session.output, pages, session.output.isTTY ? { columns } : {})
  return undefined
}

const columns = ['id', 'status', 'at', 'topic', 'key', 'reason', 'message'].map((key) => ({ key }))

const withStatus = (status: string) => is('status', status)

const showLetter = async ({ output, system }: Session, id: string): Promise<CliFailure | undefined> => {
  const found = await showDeadLetter(await system(), id)
  if (isLeft(found)) return asCliFailure(found.left)
  if (!output.isTTY) {
    await output.write(`${jsonText(found.right)}\n`)
    return undefined
  }
  const { value, headers, raw, ...rest } = found.right
  const fields = { ...rest, headers: JSON.stringify(headers), ...(raw && { raw: JSON.stringify(raw) }) }
  const lines = Object.entries(fields).map(
    ([name, said]) => `${name.padEnd(10)} ${visible(String(said ?? ''))}`,
  )
  await output.write(`${lines.join('\n')}\n\n${visible(value)}\n`)
  return undefined
}

const settleLetters = async (
  session: Session,
  verb: 'retry' | 'discard',
  settle: Settle,
  id: string | undefined,
  options: SettleOptions,
): Promise<CliFailure | undefined> => {
  const { actor, reason } = options
  if (!actor?.trim()) return usage('--actor is missing: who wants it?')
  if (!reason?.trim()) return usage('--reason is missing: why?')
  if ((id === undefined) === (options.all !== true)) return usage('give either an id or --all')
  if (id !== undefined && options.where) return usage('--where goes with --all')
  const conditions = parseWhere(options.where ?? [], letters)
  if (isLeft(conditions)) return usage(conditions.left)

  const system = await session.system()
  const ids = id === undefined ? await waitingIds(session, system, conditions.right) : [id]
  if (options.all && !options.yes)
    return usage(`this would ${verb} ${plural(ids.length, 'dead letter')}`, 'add --yes to go on')
  const started = system.clock.now()
  let settled = 0
  const failures: CliFailure[] = []
  for (const one of ids) {
    session.signal.throwIfAborted()
    const outcome = await settle(system, one, { actor, reason })
    if (isLeft(outcome)) failures.push(asCliFailure(outcome.left))
    else settled++
  }
  if (settled > 0 && verb === 'retry') await bringToRest(session, system)
  await freshViews(session, system, [deadLetters])
  const dead = verb === 'retry' ? countSince(system, started) : 0
  const { output } = session
  const summary = { verb, settled, failed: failures.length, ...(verb === 'retry' && { deadAgain: dead }) }
  const done = `${plural(settled, 'dead letter')} ${verb === 'retry' ? 'retried' : 'discarded'}`
  if (settled > 0 || options.all) await output.write(output.isTTY ? `${done}\n` : `${jsonText(summary)}\n`)
  const [first] = failures
  if (first)
    return failures.length === 1
      ? first
      : { ...first, message: `${failures.length} failed; the first: ${first.message}` }
  return dead > 0
    ? refused(`${plural(dead, 'message')} could not be used again`, '`fonds dead-letters list` says why')
    : undefined
}

const waitingIds = async (
  session: Session,
  system: System,
  conditions: readonly ConditionOn<typeof letters>[],
): Promise<readonly string[]> => {
  await freshViews(session, system, [deadLetters])
  return rows(system.viewStore, letters, { where: [...conditions, withStatus('waiting')] }).map(
    ({ id }) => id,
  )
}

const countSince = ({ viewStore }: System, time: string): number =>
  countRows(viewStore, letters, withStatus('waiting'), { column: 'at', is: '>=', value: time })

const asCliFailure = (failure: DeadLetterFailure): CliFailure => {
  switch (failure.kind) {
    case 'NotFound':
      return refused(
        `there is no dead letter ${failure.id}`,
        '`fonds dead-letters list --status all` shows them',
      )
    case 'Rejected':
      return refused(failure.rejection.message)
    case 'NotTaken':
      return refused(`it cannot be retried: ${failure.reason}`)
    case 'Unavailable':
      return away(failure.reason, '`fonds doctor` looks for the cause')
  }
}

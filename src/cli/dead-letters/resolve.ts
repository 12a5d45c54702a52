import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import {
  type DeadLetterFailure,
  discardDeadLetter,
  type Resolved,
  type ResolvedBy,
  retryDeadLetter,
} from '../../app/dead-letter-service.ts'
import type { System } from '../../app/system.ts'
import { parseWhere } from '../../app/view-question.ts'
import { type ConditionOn, countRows, is, rows } from '../../domain/kernel/read-views.ts'
import { letters } from '../../domain/kernel/views.ts'
import { deadLetters } from '../../projections/kernel/dead-letters.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural } from '../output/text.ts'
import { asCliFailure } from './failure.ts'

interface ResolveOptions {
  readonly actor?: string
  readonly reason?: string
  readonly all?: boolean
  readonly where?: readonly string[]
  readonly yes?: boolean
}

type Resolve = (system: System, id: string, by: ResolvedBy) => Promise<Either<DeadLetterFailure, Resolved>>

const resolving = (verb: 'retry' | 'discard', resolve: Resolve) => ({
  run: (session: Session, id: string | undefined, options: ResolveOptions) =>
    resolveLetters(session, verb, resolve, id, options),
})

export const retry = resolving('retry', retryDeadLetter)
export const discard = resolving('discard', discardDeadLetter)

const resolveLetters = async (
  session: Session,
  verb: 'retry' | 'discard',
  resolve: Resolve,
  id: string | undefined,
  options: ResolveOptions,
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
  let resolved = 0
  const failures: CliFailure[] = []
  for (const one of ids) {
    session.signal.throwIfAborted()
    const outcome = await resolve(system, one, { actor, reason })
    if (isLeft(outcome)) failures.push(asCliFailure(outcome.left))
    else resolved++
  }
  if (resolved > 0 && verb === 'retry') await bringToRest(session, system)
  await freshViews(session, system, [deadLetters])
  const dead = verb === 'retry' ? countSince(system, started) : 0
  const { output } = session
  const summary = {
    verb,
    settled: resolved,
    failed: failures.length,
    ...(verb === 'retry' && { deadAgain: dead }),
  }
  const done = `${plural(resolved, 'dead letter')} ${verb === 'retry' ? 'retried' : 'discarded'}`
  if (resolved > 0 || options.all) await output.write(output.isTTY ? `${done}\n` : `${jsonText(summary)}\n`)
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
  return rows(system.viewStore, letters, { where: [...conditions, isWaiting] }).map(({ id }) => id)
}

const isWaiting = is('status', 'waiting')

const countSince = ({ viewStore }: System, time: string): number =>
  countRows(viewStore, letters, isWaiting, { column: 'at', is: '>=', value: time })

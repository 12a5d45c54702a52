import { isLeft } from 'fp-ts/lib/Either.js'
import type { Home } from '../../app/system.ts'
import { ensureTopics } from '../../app/topics.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import type { Session } from '../context.ts'
import { away, type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import { count, plural } from '../output/text.ts'
import { findTopic } from '../topic.ts'
import { type Input, openInput } from './input.ts'
import { type Outcomes, rememberSent, type Sent } from './outcomes.ts'
import { openRejects } from './rejects.ts'
import { sendLines } from './send-lines.ts'

interface ProduceOptions {
  readonly source?: string
  readonly batch?: string
  readonly dryRun?: boolean
  readonly wait?: boolean
  readonly rejects?: string
  readonly show: number
}

/** Outcomes of the lines. */
interface Summary {
  readonly topic: string
  readonly source: string
  readonly dryRun: boolean
  accepted: number
  refused: number
  /** The first invalid lines; `refused` counts all. */
  readonly refusals: (InvalidMessage & { readonly line: number })[]
  /** With --wait: the outcomes of the accepted lines. */
  outcomes?: Outcomes
}

export const run = async (
  session: Session,
  topicName: string,
  file: string | undefined,
  options: ProduceOptions,
): Promise<CliFailure | undefined> => {
  const home = await (options.wait ? session.system() : session.home())
  const topic = findTopic(home, topicName)
  if (isLeft(topic)) return topic.left
  const input = await openInput(session, file)
  if (isLeft(input)) return input.left
  const source = options.source ?? `fonds://produce/${encodeURIComponent(input.right.name)}`
  if (!isSource(source))
    return usage(`--source ${JSON.stringify(source)} is not 1 to 1024 printable characters`)
  if (!options.dryRun) await ensureTopics(home)

  const summary: Summary = {
    topic: topicName,
    source,
    dryRun: options.dryRun === true,
    accepted: 0,
    refused: 0,
    refusals: [],
  }
  const sent = options.wait && !options.dryRun ? rememberSent() : undefined
  try {
    await sendAll(session, home, topic.right, input.right, options, summary, sent)
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    await writeSummary(session, summary)
    return away(`${error.message}; ${plural(summary.accepted, 'line')} went before`, again(file, options))
  }
  if (sent && !session.signal.aborted) {
    const { bringToRest } = await import('../at-rest.ts')
    await bringToRest(session, await session.system())
    summary.outcomes = sent.outcomes(home.viewStore, topicName, options.show)
  }
  await writeSummary(session, summary)
  if (session.signal.aborted)
    return refused(`stopped after ${plural(summary.accepted, 'line')}`, again(file, options))
  return failureOf(summary, options)
}

/** Returns why lines had no effect; undefined if all had one, or their outcomes were not waited for. */
const failureOf = (
  { accepted, refused: lines, outcomes }: Summary,
  { rejects }: ProduceOptions,
): CliFailure | undefined => {
  const { rejected = 0, deadLettered = 0 } = outcomes ?? {}
  const parts = [
    ...(lines > 0 ? [`${count(lines)} of ${plural(accepted + lines, 'line')} refused`] : []),
    ...(rejected > 0 ? [`${count(rejected)} of ${plural(accepted, 'message')} rejected`] : []),
    ...(deadLettered > 0
      ? [`${count(deadLettered)} of ${plural(accepted, 'message')} could not be used`]
      : []),
  ]
  if (parts.length === 0) return undefined
  const mend = rejects
    ? `mend them in ${rejects} and send that file`
    : 'with --rejects <file> they are kept there, to be mended and sent'
  const commands = [
    ...(rejected > 0 ? ['`fonds query rejections`'] : []),
    ...(deadLettered > 0 ? ['`fonds dead-letters list`'] : []),
  ]
  return refused(parts.join(', '), lines > 0 ? mend : `${commands.join(' and ')} say why`)
}

const isSource = (text: string): boolean =>
  text.length > 0 && text.length <= 1024 && !/\p{Cc}/u.test(text) && text.isWellFormed()

const again = (file: string | undefined, { batch }: ProduceOptions): string =>
  batch !== undefined || (file !== undefined && file !== '-')
    ? 'send the same again: repeated messages are recognised and have their effect once'
    : 'send the rest; with --batch <name> all of it can be sent again and has its effect once'

const sendAll = async (
  session: Session,
  home: Home,
  topic: TopicSpec,
  input: Input,
  options: ProduceOptions,
  summary: Summary,
  sent: Sent | undefined,
): Promise<void> => {
  const { broker, clock } = home
  const batch = options.batch ?? `${input.name}/${input.version}`
  const rejects = openRejects(options.rejects)
  const progress = session.progress(options.dryRun ? 'Checking' : 'Sending', {
    unit: 'bytes',
    ...(input.size !== undefined && { total: input.size }),
  })
  try {
    await sendLines(input.chunks, {
      topic,
      ...(!options.dryRun && { broker }),
      source: summary.source,
      // Nothing is kept for a dry run.
      batch: options.dryRun || home.config.personalValues === 'off' ? batch : await ownId(home, batch),
      now: clock.now,
      signal: session.signal,
      onInvalid: (line, why) => {
        summary.refused++
        if (summary.refusals.length < options.show) summary.refusals.push({ line, ...why })
      },
      onInvalidBytes: (bytes) => (bytes === 'end' ? rejects.endLine() : rejects.write(bytes)),
      onAccepted: (lines) => {
        summary.accepted += lines
      },
      ...(sent && { onSent: sent.add }),
      onBytes: progress.advance,
    })
  } finally {
    progress.done()
    rejects.close()
  }
}

const writeSummary = async ({ output }: Session, summary: Summary): Promise<void> => {
  if (!output.isTTY) return writeRows(output, [[{ ...summary }]])
  if (summary.refusals.length > 0)
    await writeRows(output, [summary.refusals.map((refusal) => ({ ...refusal }))], {
      columns: [{ key: 'line' }, { key: 'reason', tone: () => 'bad' }, { key: 'message' }],
    })
  const notListed = summary.refused - summary.refusals.length
  if (notListed > 0) await output.write(`… and ${plural(notListed, 'more line')} refused\n`)
  const failures = summary.outcomes?.failures ?? []
  if (failures.length > 0)
    await writeRows(output, [failures.map((failed) => ({ ...failed }))], {
      columns: [{ key: 'message' }, { key: 'reason', tone: () => 'bad' }, { key: 'because' }],
    })
  const verb = summary.dryRun ? 'would go' : 'went'
  await output.write(
    `${plural(summary.accepted, 'line')} ${verb} to ${summary.topic}, ${plural(summary.refused, 'line')} refused.\n`,
  )
}

const ownId = async (home: Home, batch: string): Promise<string> =>
  (await (await import('../../app/secret-ids.ts')).secretIds(home))(batch)

import { type Command, InvalidArgumentError } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { createColors } from 'picocolors'
import { listedTopics } from '../app/event-topics.ts'
import { type From, fromText, messageOf, readTopic } from '../app/read-topic.ts'
import { unavailable } from '../async/unavailable.ts'
import type { BrokerRecord } from '../ports/broker.ts'
import { didYouMean } from './closest.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'
import { jsonText } from './output/format.ts'
import type { Output } from './output/output.ts'
import { visible } from './output/text.ts'

interface ConsumeOptions {
  readonly from: From
  readonly limit?: number
  readonly follow?: boolean
}

const pageSize = 500
/** Between two polls of an empty topic. */
const lookMillis = 250

export const registerConsume = (program: Command, context: CliContext): void => {
  const command = program
    .command('consume')
    .summary('read a topic: messages, work items, events that the relay copied')
    .description(
      'Records of a topic, in the order of each partition; with --follow also those to come, until Ctrl-C. It joins no ' +
        'consumer group and commits nothing: go on later with --from and, of each partition, the offset behind the last ' +
        'one seen.',
    )
    .argument('<topic>', '`fonds topics` lists them')
    .option('--from <place>', 'start, end, or <partition>:<offset>,… (default start)', parseFrom, 'start')
    .option('--limit <n>', 'most records', wholeNumber)
    .option('--follow', 'go on with what comes')
    .action(running(context, consume))
  addExamples(command, [
    [
      'consume fonds.fixity.events --follow',
      'every event of fixity, as the relay copies it (start --roles relay)',
    ],
    ['consume fonds.research.work-items --from end --follow', 'work items for researchers, from now on'],
    [
      'consume fonds.fixity.content --from 0:120,1:98 | jq .value',
      'on from offsets; partitions not named from their start',
    ],
  ])
}

const parseFrom = (text: string): From => {
  const from = fromText(text)
  if (isLeft(from)) throw new InvalidArgumentError(`It ${from.left}.`)
  return from.right
}

const consume = async (
  session: Session,
  topic: string,
  { from, limit = Number.POSITIVE_INFINITY, follow }: ConsumeOptions,
): Promise<CliFailure | undefined> => {
  const { broker, clock, workflows } = await session.system()
  const names = listedTopics(workflows).map(({ name }) => name)
  if (!names.includes(topic)) return refused(`there is no topic ${topic}`, didYouMean(topic, names))
  const { output, signal } = session
  let next = from
  for (let left = limit; left > 0 && !output.closed.aborted; ) {
    const page = await readTopic(broker, topic, next, Math.min(left, pageSize))
    if (isLeft(page)) throw unavailable(page.left)
    const { records, caughtUp } = page.right
    next = page.right.next
    left -= records.length
    if (records.length > 0) await output.write(textOf(records, output))
    if (follow && signal.aborted) return undefined
    if (caughtUp && !follow) return undefined
    signal.throwIfAborted()
    if (caughtUp) await clock.sleep(lookMillis, signal)
  }
  return undefined
}

const textOf = (records: readonly BrokerRecord[], output: Output): string => {
  if (!output.isTTY) return records.map((record) => `${jsonText(messageOf(record))}\n`).join('')
  const { bold, dim } = createColors(output.colour)
  return records
    .map(messageOf)
    .map(({ partition, offset, timestamp, key, headers, value, valueBase64 }) =>
      [
        dim(`${partition}:${offset}`.padStart(8)),
        dim(timestamp),
        bold(visible(headers.ce_type ?? '')),
        visible(key ?? ''),
        dim(visible(valueBase64 ?? jsonText(value))),
      ].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('')
}

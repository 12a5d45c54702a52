import { isLeft } from 'fp-ts/lib/Either.js'
import { createColors } from 'picocolors'
import { listedTopics } from '../../app/event-topics.ts'
import { fromText, messageOf, readTopic } from '../../app/read-topic.ts'
import { unavailable } from '../../async/unavailable.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import type { Output } from '../output/output.ts'
import { visible } from '../output/text.ts'

interface ConsumeOptions {
  readonly from: string
  readonly limit?: number
  readonly follow?: boolean
}

const pageSize = 500
/** Between two polls of an empty topic. */
const pollMillis = 250

export const run = async (
  session: Session,
  topic: string,
  { from, limit = Number.POSITIVE_INFINITY, follow }: ConsumeOptions,
): Promise<CliFailure | undefined> => {
  const place = fromText(from)
  if (isLeft(place)) return usage(`--from ${place.left}`)
  const { broker, clock, workflows } = await session.home()
  const names = listedTopics(workflows).map(({ name }) => name)
  if (!names.includes(topic)) return refused(`there is no topic ${topic}`, didYouMean(topic, names))
  const { output, signal } = session
  let next = place.right
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
    if (caughtUp) await clock.sleep(pollMillis, signal)
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

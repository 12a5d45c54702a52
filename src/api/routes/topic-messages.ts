import { isLeft, isRight, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { listedTopics } from '../../app/event-topics.ts'
import { type From, fromText, messageOf, offsetsText, readTopic } from '../../app/read-topic.ts'
import { reasonOf } from '../../async/unavailable.ts'
import { waitUntil } from '../../async/wait-until.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { type ApiContext, v1 } from '../context.ts'
import { away } from '../http/errors.ts'
import { Place } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { noSuchTopic, topicInPath } from '../path-names.ts'

const ReadFrom = annotate(
  new t.Type<From, string, unknown>(
    'start, end, or offsets of partitions such as 0:12,1:40',
    (u): u is From => u === 'start' || u === 'end' || u instanceof Map,
    (u, context) => {
      const from = typeof u === 'string' ? fromText(u) : undefined
      return from && !isLeft(from) ? t.success(from.right) : t.failure(u, context)
    },
    (from) => (typeof from === 'string' ? from : offsetsText(from)),
  ),
  { type: 'string', examples: ['start', 'end', '0:12,1:40'] },
)

const Message = t.intersection([
  t.type({
    partition: t.number,
    offset: Place,
    timestamp: Time,
    key: t.union([t.string, t.null]),
    headers: t.record(t.string, t.string),
  }),
  t.partial({
    /** JSON where it is JSON, else text. */
    value: t.unknown,
    /** In place of `value` where the bytes are no text. */
    valueBase64: t.string,
  }),
])

const Page = t.type({ topic: Text, messages: t.array(Message), next: t.string, more: t.boolean })

const maxWaitSeconds = 30
/** Between two polls of an empty topic. */
const pollMillis = 100

/** For programs that do not speak Kafka: any topic can be read, without a consumer group. */
export const topicMessageRoutes = ({ system }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/topics/{topic}/messages`,
      operationId: 'consume',
      summary: 'Messages of a topic, in the order of each partition.',
      description:
        'Work items and the events that the relay copies included. Go on with `from` = the `next` of the last answer; ' +
        'nothing is committed, the reader keeps its place. With `wait` the answer is held back until something comes.',
      tags: ['messages'],
      parameters: [
        topicInPath(system.workflows),
        {
          name: 'from',
          in: 'query',
          description: 'Where to begin; start unless said. Partitions not named are read from their start.',
          codec: ReadFrom,
        },
        {
          name: 'limit',
          in: 'query',
          description: 'Most messages; 100 unless said.',
          codec: wholeNumber(1000, 1),
        },
        {
          name: 'wait',
          in: 'query',
          description: 'Seconds to wait where nothing is there yet; 0 unless said.',
          codec: wholeNumber(maxWaitSeconds),
        },
      ],
      responses: { 200: { description: 'The messages, and where to go on.', codec: Page } },
      problems: [noSuchTopic],
    },
    async ({ parameters: { topic, from = 'start', limit = 100, wait = 0 } }) => {
      const names = listedTopics(system.workflows).map(({ name }) => name)
      if (!names.includes(topic))
        return refuse(404, 'no-such-topic', `there is no topic ${topic}; there are ${names.join(', ')}`, {
          path: 'topic',
        })
      let place: From = from
      const poll = async () => {
        const page = await readTopic(system.broker, topic, place, limit)
        if (isRight(page)) place = page.right.next
        return { isDone: isLeft(page) || page.right.records.length > 0 || !page.right.caughtUp, page }
      }
      const { page } = await waitUntil(poll, {
        clock: system.clock,
        patienceMillis: wait * SECOND,
        pollMillis,
      })
      if (isLeft(page)) return left(away(reasonOf(page.left)))
      const { records, next, caughtUp } = page.right
      const behind = offsetsText(next) || ReadFrom.encode(from)
      return json(
        { topic, messages: records.map(messageOf), next: behind, more: !caughtUp },
        { next: caughtUp ? undefined : { from: behind } },
      )
    },
  ),
]

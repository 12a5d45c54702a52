import { isLeft, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { listedTopics } from '../../app/event-topics.ts'
import { reasonOf } from '../../async/unavailable.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { GroupInfo, TopicInfo } from '../../ports/broker.ts'
import { type ApiContext, v1 } from '../context.ts'
import { away } from '../http/errors.ts'
import { Place } from '../http/parameters.ts'
import { json, type Route, route } from '../http/route.ts'

const Group = t.type({
  group: Text,
  lag: Place,
  members: t.array(t.type({ member: Text, partitions: t.array(t.string), aliveUntil: Text })),
  partitions: t.array(
    t.type({
      partition: t.number,
      committed: Place,
      lag: Place,
      member: t.union([t.string, t.null]),
    }),
  ),
})

const Topic = t.type({
  name: Text,
  description: t.string,
  types: t.array(Text),
  /** Whether only Fonds or anybody may produce to it. */
  madeBy: t.keyof({ fonds: null, anybody: null }),
  partitions: t.array(t.type({ partition: t.number, start: Place, end: Place })),
  groups: t.array(Group),
})

/** The topics, with their consumer groups and lags. */
export const topicRoutes = ({ system }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/topics`,
      operationId: 'listTopics',
      summary: 'Topics with their partitions, the groups that read them, and what waits.',
      tags: ['messages'],
      parameters: [],
      responses: { 200: { description: 'All topics.', codec: t.type({ topics: t.array(Topic) }) } },
      problems: [],
    },
    async () => {
      const infos = await system.broker.topics()()
      if (isLeft(infos)) return left(away(reasonOf(infos.left)))
      const groups = await system.broker.groups()()
      if (isLeft(groups)) return left(away(reasonOf(groups.left)))
      const topics = listedTopics(system.workflows).map(({ name, description, types, madeBy }) => ({
        name,
        description,
        types,
        madeBy,
        partitions: infos.right.find((info: TopicInfo) => info.name === name)?.offsets ?? [],
        groups: groups.right.flatMap((group) => readingOf(group, name)),
      }))
      return json({ topics })
    },
  ),
]

/** Returns the group's members and partitions in one topic; none if it does not read it. */
const readingOf = ({ group, members, partitions }: GroupInfo, topic: string) => {
  const here = partitions.filter((each) => each.topic === topic)
  if (here.length === 0) return []
  const busy = new Set(here.map(({ member }) => member))
  return [
    {
      group,
      lag: here.reduce((sum, { lag }) => sum + lag, 0n),
      members: members.filter(({ member }) => busy.has(member)),
      partitions: here.map(({ partition, committed, lag, member }) => ({
        partition,
        committed,
        lag,
        member,
      })),
    },
  ]
}

import { listedTopics } from '../../app/event-topics.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { GroupInfo, TopicInfo } from '../../ports/broker.ts'
import type { Row } from '../../projections/runtime/shown.ts'
import type { Session } from '../context.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import { count } from '../output/text.ts'

interface TopicsOptions {
  readonly byPartition?: boolean
}

export const run = async (session: Session, options: TopicsOptions): Promise<CliFailure | undefined> => {
  const system = await session.system()
  const infos = await orThrow(system.broker.topics())
  const groups = await orThrow(system.broker.groups())
  const specs = new Map(listedTopics(system.workflows).map((topic) => [topic.name, topic]))
  const made = new Map(infos.map((info) => [info.name, info]))
  const names = [...new Set([...specs.keys(), ...made.keys()])].sort()
  const rows = names.map((name) => ({
    topic: name,
    description: specs.get(name)?.description ?? '',
    types: specs.get(name)?.types ?? [],
    madeBy: specs.get(name)?.madeBy ?? '',
    ...topicRow(name, made.get(name), groups),
  }))
  if (options.byPartition) await writeRows(session.output, [rows.flatMap(partitionRows)])
  else if (!session.output.isTTY) await writeRows(session.output, [rows])
  else await writeRows(session.output, [rows.flatMap(groupRows)], { columns })
  return undefined
}

const topicRow = (topic: string, info: TopicInfo | undefined, groups: readonly GroupInfo[]) => {
  const partitions = info?.offsets ?? []
  return {
    partitions,
    records: partitions.reduce((sum, { start, end }) => sum + (end - start), 0n),
    groups: groups.flatMap(({ group, members, partitions }) => {
      const own = partitions.filter((one) => one.topic === topic)
      if (own.length === 0) return []
      const busy = new Set(own.map(({ member }) => member))
      return [
        {
          group,
          lag: own.reduce((sum, { lag }) => sum + lag, 0n),
          members: members.map(({ member }) => member).filter((member) => busy.has(member)),
          partitions: own.map(({ topic: _, ...rest }) => rest),
        },
      ]
    }),
  }
}

type TopicRow = { readonly topic: string; readonly madeBy: string } & ReturnType<typeof topicRow>

const columns = [
  { key: 'topic', leaveOut: 'middle' as const },
  { key: 'madeBy', title: 'made by' },
  { key: 'partitions' },
  { key: 'records', show: grouped },
  { key: 'group' },
  { key: 'lag', show: grouped, tone: (lag: unknown) => (Number(lag) > 0 ? ('warning' as const) : undefined) },
  { key: 'members' },
]

function grouped(value: unknown): string {
  return typeof value === 'bigint' ? count(value) : ''
}

const groupRows = ({ topic, madeBy, partitions, records, groups }: TopicRow): readonly Row[] => {
  const row = { topic, madeBy, partitions: partitions.length, records }
  return groups.length === 0
    ? [{ ...row, group: '', lag: null, members: null }]
    : groups.map(({ group, lag, members }) => ({ ...row, group, lag, members: members.length }))
}

const partitionRows = ({ topic, partitions, groups }: TopicRow): readonly Row[] =>
  partitions.flatMap(({ partition, start, end }): readonly Row[] => {
    const readers = groups.flatMap(({ group, partitions: own }) =>
      own.filter((one) => one.partition === partition).map((one) => ({ group, ...one })),
    )
    const row = { topic, partition, start, end }
    return readers.length === 0
      ? [{ ...row, group: null, committed: null, lag: null, member: null }]
      : readers.map(({ group, committed, lag, member }) => ({ ...row, group, committed, lag, member }))
  })

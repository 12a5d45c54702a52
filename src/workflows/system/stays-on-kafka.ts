import { isLeft } from 'fp-ts/lib/Either.js'
import { plural } from '../../domain/kernel/amounts.ts'
import { DAY } from '../../domain/kernel/time.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Asking = Pick<WorkflowContext, 'broker' | 'workflows'> & {
  readonly config: Pick<WorkflowContext['config'], 'broker'>
}

/** Says what nobody can take out of topics on Kafka, and until when. Undefined: topics are embedded, where it is overwritten. */
export const staysOnKafka = async ({ broker, workflows, config }: Asking): Promise<string | undefined> => {
  if (config.broker === 'embedded') return undefined
  const what = 'topics on Kafka keep what other systems put there'
  const listed = await broker.topics()()
  if (isLeft(listed))
    return `${what} until their retention ends, which cannot be asked now (${listed.left.kind})`
  const personal = new Set(
    workflows.flatMap(({ topics }) =>
      topics.flatMap(({ name, messages }) => (messages.some(({ personal }) => personal) ? [name] : [])),
    ),
  )
  const kept = listed.right.filter(({ name }) => personal.has(name))
  if (kept.length === 0) return `${what} until their retention ends`
  const times = [...Map.groupBy(kept, ({ retentionMillis }) => retentionMillis)]
  return `${what}: ${times.map(([millis, topics]) => `${topics.map(({ name }) => name).join(', ')} ${keptFor(millis)}`).join('; ')}`
}

const keptFor = (millis: number | undefined): string =>
  millis === undefined ? 'for ever, as far as can be asked' : `for ${plural(Math.ceil(millis / DAY), 'day')}`

import { isLeft } from 'fp-ts/lib/Either.js'
import { reasonOf } from '../../async/unavailable.ts'
import { count, plural } from '../../domain/kernel/amounts.ts'
import { isEventStoreDbAddress, withoutLogin } from '../../domain/kernel/server-address.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { topicsOf } from '../../workflows/workflow-model.ts'
import type { System } from '../system.ts'

/* A line for each dependency: whether it answers, and how quickly. */

export const eventStore = async ({ eventStore, config }: System): Promise<Finding> => {
  const name = withoutLogin(config.eventStore)
  const { result: head, millis } = await timed(eventStore.head())
  return isLeft(head)
    ? head.left.denied
      ? fail('event store', head.left.reason, 'docs/guides/secure.md, Secure')
      : fail('event store', `${name} does not answer: ${head.left.reason}`, whatToDo(config.eventStore))
    : ok(
        'event store',
        `${name} answers within ${millis} ms, ${head.right < 0n ? 'the log is empty' : `at position ${count(head.right)}`}`,
      )
}

/** Whether every event can be read. A large log takes long. */
export const wholeLog = async ({ eventStore, config }: System): Promise<Finding> => {
  const damage = await eventStore.damage()()
  if (isLeft(damage))
    return fail('log', `it could not be checked: ${damage.left.reason}`, whatToDo(config.eventStore))
  return damage.right === undefined
    ? ok('log', 'no event is missing')
    : fail('log', damage.right, 'docs/guides/restore.md, Back up and restore')
}

export const broker = async ({ broker, config, workflows }: System): Promise<Finding> => {
  const { result: topics, millis } = await timed(broker.topics())
  if (isLeft(topics))
    return fail('broker', `${config.broker}: ${reasonOf(topics.left)}`, whatToDo(config.broker))
  const names = new Set(topics.right.map(({ name }) => name))
  const missing = topicsOf(workflows).filter(({ name }) => !names.has(name))
  // Embedded topics are made when they are needed; on a server that may take a person's permission.
  return missing.length > 0 && config.broker !== 'embedded'
    ? warn(
        'broker',
        `${config.broker} answers, but has no topic ${missing.map(({ name }) => name).join(', ')}`,
        '`fonds start` makes topics; where it may not, make them yourself',
      )
    : ok('broker', `${config.broker} answers within ${millis} ms and has ${plural(names.size, 'topic')}`)
}

export const whatToDo = (address: string): string => {
  if (address.startsWith('kafka:'))
    return 'is the address right (--broker) and Kafka up? With TLS or a log-in, see --kafka-tls and --kafka-sasl'
  if (isEventStoreDbAddress(address))
    return 'is the address right (--event-store) and the server up? Without TLS it ends in ?tls=false'
  return 'see the disk and the files'
}

const timed = async <A>(task: () => Promise<A>): Promise<{ readonly result: A; readonly millis: number }> => {
  const started = performance.now()
  const result = await task()
  return { result, millis: Math.ceil(performance.now() - started) }
}

import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { reasonOf, tryUnavailable } from '../../async/unavailable.ts'
import { count, plural } from '../../domain/kernel/amounts.ts'
import { categoryOf } from '../../domain/kernel/event.ts'
import { presenceCategory } from '../../domain/kernel/leader-lease.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { hasSignIn } from '../../workflows/system/contradictions.ts'
import { presentNodes } from '../presence.ts'
import type { System } from '../system.ts'
import { whatToDo } from './dependencies.ts'

/* Checks of the work: what waits, and what it waits for. */

export const messageLag = async (system: System): Promise<Finding> => {
  const { broker, config } = system
  const groups = await broker.groups()()
  if (isLeft(groups))
    return fail('topics', `cannot be read: ${reasonOf(groups.left)}`, whatToDo(config.broker))
  const behind = groups.right
    .map(({ group, members, partitions }) => ({
      group,
      members: members.length,
      lag: partitions.reduce((sum, { lag }) => sum + lag, 0n),
    }))
    .filter(({ lag }) => lag > 0n)
  const sentence = behind.map(
    ({ group, lag, members }) => `${group}: ${count(lag)} wait, ${plural(members, 'member')}`,
  )
  if (behind.some(({ members }) => members === 0)) {
    const here = await processorsAtWork(system)
    return here.length === 0
      ? warn('topics', sentence.join('; '), 'start the processors: `fonds start`')
      : warn(
          'topics',
          `${sentence.join('; ')}, though ${here.join(', ')} ${here.length === 1 ? 'has' : 'have'} processors`,
          'the log there says why it is no member, and so does its /readyz (`broken`)',
        )
  }
  return behind.length === 0
    ? ok('topics', 'every message is handled')
    : ok('topics', `${sentence.join('; ')}; being handled`)
}

/** None where the log, which knows them, does not answer. */
const processorsAtWork = async (system: System): Promise<readonly string[]> => {
  const nodes = await tryUnavailable(() => presentNodes(system))()
  return isLeft(nodes)
    ? []
    : nodes.right.filter(({ roles }) => roles.includes('processors')).map(({ name }) => name)
}

export const viewLag = async (system: System): Promise<Finding> => {
  const head = await system.eventStore.head()()
  if (isLeft(head))
    return fail('views', `the log cannot be read: ${head.left.reason}`, whatToDo(system.config.eventStore))
  // No command waits for counts of activity: they follow while a node runs, and its /readyz says so.
  const projections = system.workflows.flatMap((workflow) => workflow.projections)
  const lags = projections.map(({ name }) => {
    const live = system.viewStore.live(name)
    const position = live ? system.viewStore.checkpoint(live).position : -1n
    return { name, position, isNew: live === undefined, lag: head.right - position }
  })
  const lagging = lags.filter(({ lag }) => lag > 0n)
  const behind = lagging.map(({ name, lag }) => `${name} by ${count(lag)}`)
  const isIdle = lagging.every(({ isNew }) => !isNew) && (await onlyPresence(system, lagging))
  return behind.length === 0 || isIdle
    ? ok('views', head.right < 0n ? 'the log is empty' : `up to date, at position ${head.right}`)
    : warn(
        'views',
        `behind the log: ${behind.join(', ')}`,
        '`fonds start` folds them, and so does `fonds query`',
      )
}

/** A process that ends says so when it folds no views any more: those are not behind for want of somebody who folds. */
const onlyPresence = async (
  { eventStore }: Pick<System, 'eventStore'>,
  lagging: readonly { readonly position: bigint }[],
): Promise<boolean> => {
  const from = lagging.reduce((least, { position }) => (position < least ? position : least), maxPosition)
  const read = await eventStore.readAll(from, {}, maxFarewells)()
  return (
    isRight(read) &&
    read.right.caughtUp &&
    read.right.events.every(({ stream }) => categoryOf(stream) === presenceCategory)
  )
}

const maxPosition = 2n ** 63n
const maxFarewells = 100

/** Decisions take their time from this machine's clock. A clock behind the log delays what is due. */
export const clock = async ({ eventStore, clock }: System): Promise<Finding> => {
  const last = await eventStore.readBack('end', 1)()
  const now = clock.now()
  const recorded = isLeft(last) ? undefined : last.right[0]?.recordedAt
  return recorded !== undefined && recorded > now
    ? fail('clock', `it is ${now} here, but the log has an event of ${recorded}`, 'set the clock, by NTP')
    : ok('clock', now)
}

export const reach = ({ config }: System): Finding => {
  const { host, port, token } = config
  return token === undefined && !hasSignIn(config)
    ? ok(
        'http',
        `would listen on ${host}:${port}, for this machine alone; set FONDS_TOKEN before a proxy goes in front of it: what it passes on looks as if this machine asked`,
      )
    : ok(
        'http',
        `would listen on ${host}:${port}, for all who ${token === undefined ? 'sign in' : 'have the token'}`,
      )
}

import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import { presenceCategory as category, LockMark } from './leader-lease.ts'
import { millisBetween } from './time.ts'

/*
 * Stream: `presence-nodes`. The processes at work and their settings. It is truncated to its latest events, so each one
 * carries the complete state.
 */

export { category }
export const presenceStream = streamName(category, 'nodes')

/** Effective settings of the archive, as text. For a secret, only whether it is set. */
const Effective = t.readonly(t.record(Text, t.string))
export type Effective = t.TypeOf<typeof Effective>

export const Node = t.intersection([
  t.type({
    /** Unique: no other process ever has the same. */
    name: Text,
    host: Text,
    /** Its home, as an absolute path. */
    home: Text,
    roles: t.readonlyArray(Text),
    settings: Effective,
    /** Names of settings that changed since its start, and that it applies at its next start. */
    needsStart: t.readonlyArray(Text),
    since: Time,
    at: Time,
    /** Milliseconds that it may be silent. */
    millis: PositiveInteger,
  }),
  t.partial({ lock: LockMark }),
])
export type Node = t.TypeOf<typeof Node>

export const presenceEvents = eventSet(
  eventSpec(
    'NodesPresent',
    'The processes that are at work, with their effective settings.',
    t.type({ nodes: t.readonlyArray(Node) }),
  ),
)

type PresenceEvent = EventsOf<typeof presenceEvents>

const working = ['processors', 'reactions', 'workers']

/** True if one of its roles does work that settings of the archive govern. */
export const isAtWork = ({ roles }: Pick<Node, 'roles'>): boolean =>
  roles.some((role) => working.includes(role) || role.startsWith('worker '))

/** Names of compared settings. Folders are compared within one home: two homes may see one volume at different paths. */
export interface Compared {
  readonly settings: readonly string[]
  readonly folders: readonly string[]
}

type PresenceCommand = Command &
  (
    | {
        readonly type: 'Show'
        readonly node: Node
        readonly compared: Compared
        /** Names of nodes whose processes have ended, as this machine knows for certain. */
        readonly ended: readonly string[]
      }
    | { readonly type: 'Leave'; readonly name: string }
  )

export interface Difference {
  readonly setting: string
  readonly here: string | undefined
  readonly there: string | undefined
  readonly node: Node
}

export interface PresenceRejection {
  readonly code: 'differs'
  readonly message: string
  readonly differences: readonly Difference[]
}

/**
 * Returns the nodes that gave a sign of life within their time. A sign from the future was written by a clock that ran
 * ahead: it counts if it is at most that time ahead.
 */
export const presentAt = (
  nodes: readonly Node[],
  now: string,
  ended: readonly string[] = [],
): readonly Node[] =>
  nodes.filter(({ name, at, millis }) => !ended.includes(name) && Math.abs(millisBetween(at, now)) <= millis)

/** Returns the settings in which a process differs from those at work; none if it may work beside them. */
export const differencesFrom = (
  others: readonly Node[],
  { home, host, settings: here, name }: Pick<Node, 'home' | 'host' | 'settings' | 'name'>,
  { settings, folders }: Compared,
): readonly Difference[] =>
  others
    .filter((node) => node.name !== name)
    .flatMap((node) => {
      const isSameHome = node.home === home && node.host === host
      return [...settings, ...(isSameHome ? folders : [])]
        .filter((setting) => node.settings[setting] !== here[setting])
        .map((setting) => ({ setting, here: here[setting], there: node.settings[setting], node }))
    })

export const presence: Decider<readonly Node[], PresenceCommand, PresenceEvent, PresenceRejection> = {
  category,
  events: presenceEvents,
  initial: [],
  evolve: (_, { data }) => data.nodes,
  decide: (command, nodes): Either<PresenceRejection, readonly PresenceEvent[]> => {
    if (command.type === 'Leave') {
      const others = nodes.filter(({ name }) => name !== command.name)
      return right(others.length === nodes.length ? [] : [{ type: 'NodesPresent', data: { nodes: others } }])
    }
    const { node, ended, compared, at } = command
    const others = presentAt(nodes, at, ended).filter(({ name }) => name !== node.name)
    const isKnown = nodes.some(({ name }) => name === node.name)
    const differences =
      isKnown || !isAtWork(node) ? [] : differencesFrom(others.filter(isAtWork), node, compared)
    return differences.length > 0
      ? left({ code: 'differs', message: inWords(differences), differences })
      : right([{ type: 'NodesPresent', data: { nodes: [...others, node] } }])
  },
}

/** Describes for a person the differences, the other node, and what to do. */
export const inWords = (differences: readonly Difference[]): string => {
  const [first] = differences
  if (!first) return ''
  const those = differences.filter(({ node }) => node.name === first.node.name)
  const each = those.map(
    ({ setting, here, there }) => `${setting} is ${here ?? 'not set'} here and ${there ?? 'not set'} there`,
  )
  const { name, needsStart } = first.node
  const isBehind = those.every(({ setting }) => needsStart.includes(setting))
  const start = isBehind ? `${startIt(name)}; where they differ even then, ` : ''
  return `this process differs from ${name}, which is at work: ${each.join('; ')}. It does none of that work until both agree: ${start}${agree}`
}

/** This may not suffice: this process may have been given a value of its own. */
const startIt = (name: string): string =>
  `start ${name} again, to apply what was changed in the log since its start`

const agree =
  'set the archive’s settings in the log (`fonds settings set`), and leave them out of flags, environment and config files'

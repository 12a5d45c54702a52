import { hostname } from 'node:os'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { info } from '../../app/documents/about.ts'
import { type KnownNode, knownNodes } from '../../app/known-nodes.ts'
import { presentNodes, ShownNode, shownNode } from '../../app/presence.ts'
import { relayLease } from '../../app/relay-source.ts'
import type { System } from '../../app/system.ts'
import { reasonOf, tryUnavailable } from '../../async/unavailable.ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { reactionsLease } from '../../domain/kernel/leader-lease.ts'
import { isActive } from '../../domain/kernel/lease.ts'
import { leaderLeaseOf } from '../../processors/runtime/leader-lease-of.ts'
import { type ApiContext, v1 } from '../context.ts'
import { json, type Route, route } from '../http/route.ts'

const begun = new Date(Date.now() - performance.now()).toISOString()

const LeaderLease = t.type({
  lease: Text,
  /** Null if no node holds it. */
  holder: t.union([Text, t.null]),
  until: t.union([Time, t.null]),
})

const Node = t.type({
  name: Text,
  /** Null if the name does not contain it: Kafka gives members names of its own. */
  host: t.union([Text, t.null]),
  pid: t.union([t.number, t.null]),
  /** Null if it is unknown: the node is of an older Fonds, or its name does not contain it. */
  version: t.union([Text, t.null]),
  isAnswering: t.boolean,
  leases: t.array(Text),
  groups: t.array(Text),
})

/** Sources that could not be read: `leases` of the log, `groups` of the broker. */
const Missing = t.type({ what: t.keyof({ leases: null, groups: null }), why: Text })

/** The process that answers, and those that hold the leader leases, for work of one process at a time. */
export const nodeRoutes = ({ system }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/nodes`,
      operationId: 'nodes',
      summary: 'The process that answers, who holds the leader leases, and who takes messages.',
      description:
        '`nodes` are the processes that hold a lease or are members of a consumer group. One that does neither (only the role `api`, ' +
        '`projections` or `workers`) is not among them unless it answers. `present` are those that show themselves, with their roles and ' +
        'what they are set to. While the log or the broker is ' +
        'away, `missing` says what could not be asked of it, and the rest is answered.',
      tags: ['operation'],
      parameters: [],
      responses: {
        200: {
          description: 'The process, and the leases.',
          codec: t.type({
            answering: t.type({ host: Text, pid: t.number, version: Text, node: Text, since: Time }),
            log: Text,
            topics: Text,
            leases: t.array(LeaderLease),
            nodes: t.array(Node),
            present: t.readonlyArray(ShownNode),
            missing: t.array(Missing),
          }),
        },
      },
      problems: [],
    },
    async () => {
      const now = system.clock.now()
      const [foundLeases, foundGroups, shown] = await Promise.all([
        tryUnavailable(() => leasesAt(system, now))(),
        system.broker.groups()(),
        tryUnavailable(() => presentNodes(system))(),
      ])
      const leases = isLeft(foundLeases) ? [] : foundLeases.right
      const groups = isLeft(foundGroups) ? [] : foundGroups.right
      const { eventStore, broker } = system.config
      const here = { host: hostname(), pid: process.pid, version: info.version }
      const known = knownNodes(now, leases, groups)
      const isHere = ({ node }: KnownNode) => node?.host === here.host && node.pid === here.pid
      const nodes = known.some(isHere)
        ? known
        : [{ name: `${here.host}, process ${here.pid}`, node: here, leases: [], groups: [] }, ...known]
      return json({
        answering: { ...here, node: process.version, since: begun },
        log: withoutLogin(eventStore),
        topics: withoutLogin(broker),
        leases,
        nodes: nodes.map(({ node, ...one }) => ({
          ...one,
          ...{ host: node?.host ?? null, pid: node?.pid ?? null },
          version: isHere({ node, ...one }) ? here.version : (node?.version ?? null),
          isAnswering: isHere({ node, ...one }),
        })),
        present: isLeft(shown) ? [] : shown.right.map(shownNode),
        missing: [
          ...(isLeft(foundLeases) ? [{ what: 'leases', why: reasonOf(foundLeases.left) } as const] : []),
          ...(isLeft(foundGroups) ? [{ what: 'groups', why: reasonOf(foundGroups.left) } as const] : []),
        ],
      })
    },
  ),
]

/** Reads the leader leases; without a holder if not active. Throws `UnavailableError`. */
const leasesAt = (system: Pick<System, 'eventStore'>, now: string) =>
  Promise.all(
    [reactionsLease, relayLease].map(async (name) => {
      const { lease } = await leaderLeaseOf(system, name)
      return isActive(lease, now)
        ? { lease: name, holder: lease.holder, until: lease.deadline }
        : { lease: name, holder: null, until: null }
    }),
  )

/** Removes name and password from an address. */
const withoutLogin = (address: string): string => address.replace(/\/\/[^/@]*@/, '//')

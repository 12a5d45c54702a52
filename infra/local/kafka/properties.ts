import { join } from 'node:path'

/** Where one node listens (127.0.0.1) and keeps its data. */
export type Node = { readonly port: number; readonly controllerPort: number; readonly folder: string }

/** Ports beside the plain one, by Kafka's name for how they are spoken to: `SASL_SSL`. */
export type Listeners = Readonly<Record<string, number>>

/** `server.properties` of a single KRaft node: broker and controller in one, small and quick to start. */
export const propertiesOf = (
  { port, controllerPort, folder }: Node,
  listeners: Listeners = {},
  more: Readonly<Record<string, string>> = {},
): string => {
  const open = Object.entries({ PLAINTEXT: port, ...listeners })
  const addresses = open.map(([protocol, number]) => `${protocol}://127.0.0.1:${number}`)
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    listeners: [...addresses, `CONTROLLER://127.0.0.1:${controllerPort}`].join(','),
    'advertised.listeners': addresses.join(','),
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': [
      'CONTROLLER:PLAINTEXT',
      ...open.map(([protocol]) => `${protocol}:${protocol}`),
    ].join(','),
    'log.dirs': dataOf(folder),
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    // How long a broker that was killed keeps its own next start waiting.
    'broker.session.timeout.ms': 3000,
    'broker.heartbeat.interval.ms': 500,
    // One node holds the only copy of Kafka's own topics, and few partitions of them load sooner.
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'share.coordinator.state.topic.num.partitions': 4,
    'log.cleaner.dedupe.buffer.size': 8_388_608,
    ...more,
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')
}

export const dataOf = (folder: string): string => join(folder, 'data')

import { join } from 'node:path'

/** Where one node listens (127.0.0.1) and keeps its data. */
export type Place = { readonly port: number; readonly controllerPort: number; readonly folder: string }

/** `server.properties` of a single KRaft node: broker and controller in one, small and quick to start. */
export const propertiesOf = ({ port, controllerPort, folder }: Place): string =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
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
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')

export const dataOf = (folder: string): string => join(folder, 'data')

import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#infra/local/kafka/free-port.ts'
import { ready } from '#infra/local/kafka/ready.ts'
import { localKeys } from '#infra/local/s3/server.ts'
import type { Found, Way } from './discovery.ts'
import { addressOf } from './s3/server-address.ts'

/** The same as in infra/compose.yaml. */
const images = {
  kafka: 'apache/kafka:4.3.0',
  eventstoredb: 'eventstore/eventstore:24.10.0-bookworm-slim',
  versitygw: 'versity/versitygw:v1.8.0',
  moto: 'motoserver/moto:5.2.5',
} as const

const noDocker: Found = { absent: 'no Docker engine answers' }

/** How Docker's engine is reached, where it answers at once; loaded only when asked. */
const engine = async () => {
  const docker = await import('testcontainers')
  const client = docker.getContainerRuntimeClient().catch(() => undefined)
  const answered = await Promise.race([client, wait(5000, undefined, { ref: false })])
  if (answered === undefined) return undefined
  const { host } = answered.info.containerRuntime
  return { docker, host: host === 'localhost' ? '127.0.0.1' : host }
}

type Stops = (stop: () => Promise<unknown>) => void

/** Kafka tells clients where it is, so its port outside has to be known before it starts. */
export const kafkaInDocker =
  (stops: Stops): Way =>
  async () => {
    const found = await engine()
    if (found === undefined) return noDocker
    const port = await freePort()
    const container = await new found.docker.GenericContainer(images.kafka)
      .withExposedPorts({ container: port, host: port })
      .withEnvironment({
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_NODE_ID: '1',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:29093',
        KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:29093`,
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${found.host}:${port}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      })
      .start()
    stops(() => container.stop())
    const address = `${found.host}:${port}`
    if (await ready(address, new AbortController().signal)) return { address }
    return { absent: `${images.kafka} was started in Docker, but answers nothing on ${address}` }
  }

export const eventStoreInDocker =
  (stops: Stops): Way =>
  async () => {
    const found = await engine()
    if (found === undefined) return noDocker
    const { GenericContainer, Wait } = found.docker
    const container = await new GenericContainer(images.eventstoredb)
      .withExposedPorts(2113)
      .withEnvironment({
        EVENTSTORE_INSECURE: 'true',
        EVENTSTORE_MEM_DB: 'true',
        EVENTSTORE_RUN_PROJECTIONS: 'None',
        EVENTSTORE_TELEMETRY_OPTOUT: 'true',
      })
      .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
      .start()
    stops(() => container.stop())
    return { address: `esdb://${found.host}:${container.getMappedPort(2113)}?tls=false` }
  }

export const versitygwInDocker =
  (stops: Stops): Way =>
  async () => {
    const found = await engine()
    if (found === undefined) return noDocker
    const { GenericContainer, Wait } = found.docker
    const container = await new GenericContainer(images.versitygw)
      .withExposedPorts(7070)
      .withEnvironment({
        ROOT_ACCESS_KEY: localKeys.accessKeyId,
        ROOT_SECRET_KEY: localKeys.secretAccessKey,
      })
      .withTmpFs({ '/data': 'rw', '/versions': 'rw' })
      .withCommand(['--quiet', '--keep-alive', 'posix', '--versioning-dir', '/versions', '/data'])
      .withWaitStrategy(Wait.forListeningPorts())
      .start()
    stops(() => container.stop())
    return { address: addressOf(`http://${found.host}:${container.getMappedPort(7070)}`, localKeys) }
  }

export const motoInDocker =
  (stops: Stops): Way =>
  async () => {
    const found = await engine()
    if (found === undefined) return noDocker
    const { GenericContainer, Wait } = found.docker
    const container = await new GenericContainer(images.moto)
      .withExposedPorts(5000)
      .withWaitStrategy(Wait.forListeningPorts())
      .start()
    stops(() => container.stop())
    return { address: addressOf(`http://${found.host}:${container.getMappedPort(5000)}`, localKeys) }
  }

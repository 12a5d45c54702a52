import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import kafkajs, { type AclEntry, Kafka, logLevel } from 'kafkajs'
import { freePort } from '#infra/local/kafka/free-port.ts'
import { startKafka } from '#infra/local/kafka/kafka.ts'
import { tlsFiles } from '../fixtures/tls/files.ts'

export const password = 'open sesame'

/** Speaks every way of proving who one is; what users may do is said by ACLs alone. */
export interface SecureKafka {
  readonly kafka: Awaited<ReturnType<typeof startKafka>>
  /** `host:port` each; over TLS but for the last. */
  readonly sasl: string
  readonly certificate: string
  readonly saslWithoutTls: string
  /** Lets a user do these operations on topics and groups with the prefix, and on the cluster. */
  grant(user: string, prefix: string, rights: Rights): Promise<void>
}

type Operation = Exclude<keyof typeof kafkajs.AclOperationTypes, 'UNKNOWN' | 'ANY'>

export interface Rights {
  readonly topics?: readonly Operation[]
  readonly groups?: readonly Operation[]
  readonly cluster?: readonly Operation[]
}

/** Users that can log in by name; who comes with the client's certificate is `CN=fonds`. */
const users = ['fonds', 'guest', 'reader', 'maker'] as const

const jaas = (module: string, options = '') =>
  `org.apache.kafka.common.security.${module} required${options};`

const plainUsers = users.map((user) => ` user_${user}="${password}"`).join('')

export const startSecureKafka = async (folder: string): Promise<SecureKafka> => {
  const keyStore = join(folder, 'server-with-key.pem')
  const { server } = tlsFiles
  writeFileSync(keyStore, readFileSync(server.key, 'utf8') + readFileSync(server.cert, 'utf8'))
  const listeners = { SASL_SSL: await freePort(), SSL: await freePort(), SASL_PLAINTEXT: await freePort() }
  const logins = ['sasl_ssl', 'sasl_plaintext'].flatMap((name) => [
    [`listener.name.${name}.plain.sasl.jaas.config`, jaas('plain.PlainLoginModule', plainUsers)],
    [`listener.name.${name}.scram-sha-256.sasl.jaas.config`, jaas('scram.ScramLoginModule')],
    [`listener.name.${name}.scram-sha-512.sasl.jaas.config`, jaas('scram.ScramLoginModule')],
  ])
  const kafka = await startKafka({
    folder: join(folder, 'kafka'),
    listeners,
    scram: users.flatMap((user) =>
      ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map((how) => `${how}=[name=${user},password=${password}]`),
    ),
    properties: {
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      // The plain listener is the operator's own, and how this one node speaks to itself.
      'super.users': 'User:ANONYMOUS',
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': keyStore,
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': tlsFiles.authority,
      'listener.name.ssl.ssl.client.auth': 'required',
      ...Object.fromEntries(logins),
    },
  })
  const at = (port: number) => `127.0.0.1:${port}`
  return {
    kafka,
    sasl: at(listeners.SASL_SSL),
    certificate: at(listeners.SSL),
    saslWithoutTls: at(listeners.SASL_PLAINTEXT),
    grant: async (user, prefix, { topics = [], groups = [], cluster = [] }) => {
      const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs
      const entry = (operation: Operation, onCluster = false) => ({
        principal: `User:${user}`,
        host: '*',
        operation: AclOperationTypes[operation],
        permissionType: AclPermissionTypes.ALLOW,
        resourcePatternType: onCluster ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED,
      })
      const acl: AclEntry[] = [
        ...topics.map((one) => ({
          ...entry(one),
          resourceType: AclResourceTypes.TOPIC,
          resourceName: prefix,
        })),
        ...groups.map((one) => ({
          ...entry(one),
          resourceType: AclResourceTypes.GROUP,
          resourceName: prefix,
        })),
        ...cluster.map((one) => ({
          ...entry(one, true),
          resourceType: AclResourceTypes.CLUSTER,
          resourceName: 'kafka-cluster',
        })),
      ]
      const admin = new Kafka({ brokers: [kafka.address], logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      await admin.createAcls({ acl }).finally(() => admin.disconnect())
    },
  }
}

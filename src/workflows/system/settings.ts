import { join } from 'node:path'
import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { recipientOf } from '../../domain/kernel/person.ts'
import { parseQuietHours } from '../../domain/kernel/quiet-hours.ts'
import { parseReports, reportsForm } from '../../domain/kernel/report-schedule.ts'
import { eventStoreDbForm, isEventStoreDbAddress } from '../../domain/kernel/server-address.ts'
import { atOnce, atStart, type ConfigOf, type Settings } from '../../domain/kernel/setting.ts'
import { Days, HttpAddress, OnOff, Seconds } from '../setting-codecs.ts'
import { bucketSettings } from './bucket-settings.ts'
import { defaultCacheBytes, minCacheBytes } from './cache-shares.ts'
import { personalSettings } from './personal-settings.ts'
import { proofSettings } from './proof-settings.ts'
import { signInSettings } from './sign-in-settings.ts'
import { Token } from './token.ts'

/* Settings that every node needs, and those of notices. */

const Port = t.refinement(NonNegativeInteger, (n) => n <= 65_535, 'port (0 to 65535)')
const Level = t.keyof(
  { fatal: null, error: null, warn: null, info: null, debug: null, trace: null, silent: null },
  'log level',
)
const Store = t.refinement(
  t.string,
  (s) => /^sqlite:.+/.test(s) || isEventStoreDbAddress(s),
  `event store address (sqlite:<file>, ${eventStoreDbForm})`,
)
const kafka = /^kafka:\/\/(\[[^\s\]@]+\]|[^\s,/@:]+):\d+(,(\[[^\s\]@]+\]|[^\s,/@:]+):\d+)*$/
const BrokerAddress = t.refinement(
  t.string,
  (s) => s === 'embedded' || kafka.test(s),
  'broker address (embedded, or kafka://<host>:<port>,<host>:<port>; a name and a password go into FONDS_KAFKA_USERNAME and FONDS_KAFKA_PASSWORD)',
)
const Prefix = t.refinement(
  t.string,
  (s) => /^[A-Za-z0-9._-]{0,100}$/.test(s),
  'topic prefix (letters, digits, . _ -)',
)
const Replication = t.refinement(
  t.number,
  (n) => n === -1 || (Number.isInteger(n) && n >= 1 && n <= 100),
  "number of copies from 1 to 100, or -1 for the cluster's own default",
)
const Mechanism = t.keyof({ plain: null, 'scram-sha-256': null, 'scram-sha-512': null }, 'SASL mechanism')
const Compression = t.keyof({ none: null, gzip: null, snappy: null, lz4: null, zstd: null }, 'compression')
const HomeMode = t.keyof({ private: null, group: null }, 'private or group')
const Durability = t.keyof({ full: null, normal: null }, 'durability (full or normal)')
const CacheBytes = t.refinement(
  PositiveInteger,
  (n) => n >= minCacheBytes,
  `whole number of bytes, at least ${minCacheBytes} (16 MiB)`,
)
const Partitions = t.refinement(PositiveInteger, (n) => n <= 1024, 'whole number from 1 to 1024')
const DaysOrNone = t.refinement(
  NonNegativeInteger,
  (n) => n <= 36_500,
  'whole number of days from 0 to 36500',
)
const MailServer = t.refinement(
  t.string,
  (s) => /^smtps?:\/\/(\[[^\s\]@/]+\]|[^\s,/@:]+)(:\d{1,5})?$/.test(s),
  'mail server (smtp://<host>:<port>, or smtps://<host>:<port>; a name and a password go into FONDS_MAIL_USERNAME and FONDS_MAIL_PASSWORD)',
)
const Recipients = t.refinement(
  t.string,
  (s) => s.split(',').every((one) => recipientOf(one.trim()) !== undefined),
  'mail addresses with commas between (ada@archive.example,bob@archive.example), or references of people',
)
const QuietHours = t.refinement(
  t.string,
  (s) => parseQuietHours(s) !== undefined,
  'hours of the day, by the clock of this machine (22:00-07:00)',
)

const Reports = t.refinement(t.string, (s) => parseReports(s) !== undefined, reportsForm)

export const systemSettings = {
  home: {
    codec: Text,
    default: (home: string) => home,
    value: 'folder',
    description: 'folder that holds the log, the topics and the views (default ./.fonds)',
  },
  homeMode: {
    codec: HomeMode,
    default: 'private',
    description: 'private: what is made in the home is for its user alone; group: for its group as well',
  },
  eventStore: {
    codec: Store,
    default: (home: string) => `sqlite:${join(home, 'fonds.db')}`,
    login: true,
    value: 'address',
    description:
      'sqlite:<file> (default sqlite:<home>/fonds.db), or esdb://<host>:<port> (also kurrentdb://)',
  },
  broker: {
    codec: BrokerAddress,
    default: 'embedded',
    login: true,
    value: 'address',
    description: 'embedded, or kafka://<host>:<port>,<host>:<port>',
  },
  topicPrefix: {
    codec: Prefix,
    default: '',
    description: 'put before the names of topics and groups on Kafka',
  },
  replication: {
    codec: Replication,
    default: -1,
    description: "copies of a Kafka topic when it is made; -1: the cluster's own default",
  },
  kafkaClientId: { codec: Text, default: 'fonds', description: 'how this program names itself to Kafka' },
  kafkaTls: { codec: OnOff, default: 'off', description: 'on: talk to Kafka over TLS' },
  kafkaCaFile: { codec: Text, description: 'PEM file of the authority that Kafka is trusted by' },
  kafkaCertFile: { codec: Text, description: 'PEM file of the certificate to show to Kafka' },
  kafkaKeyFile: { codec: Text, description: "PEM file of that certificate's key" },
  kafkaSasl: { codec: Mechanism, description: 'plain, scram-sha-256 or scram-sha-512' },
  kafkaUsername: { codec: Text, description: 'name to log in to Kafka with' },
  kafkaPassword: { codec: Text, secret: true, description: 'password to log in to Kafka with' },
  kafkaCompression: {
    codec: Compression,
    default: 'none',
    description: 'none, gzip, snappy, lz4 or zstd: of what is sent',
  },
  kafkaLingerMillis: {
    codec: NonNegativeInteger,
    default: 5,
    description: 'how long a message waits for others to be sent with',
  },
  durability: {
    codec: Durability,
    default: 'full',
    value: 'how',
    description: 'full survives a power cut, normal a crash of the process',
  },
  cacheBytes: {
    codec: CacheBytes,
    default: defaultCacheBytes,
    description: 'most bytes of memory that all caches of a process take together (at least 16 MiB)',
  },
  partitions: { codec: Partitions, default: 4, description: 'partitions of a topic when it is made' },
  retentionDays: {
    codec: Days,
    description: 'days that handled messages stay on their topic (default: for ever); events always stay',
  },
  pastDays: {
    codec: DaysOrNone,
    description:
      'days of their past that views keep (default: all of it; 0: none, which spares its cost); questions as of an older moment fold the log, which takes longer',
  },
  pastCopies: {
    codec: NonNegativeInteger,
    description:
      'does nothing any more: views are not copied to <home>/views-copies, and questions as of older moments fold the log',
  },
  host: {
    codec: Text,
    default: '127.0.0.1',
    description: 'address to listen on; any but this machine needs a token',
  },
  port: { codec: Port, default: 7070, description: 'port to listen on; 0 picks a free one' },
  token: {
    codec: Token,
    secret: true,
    description:
      'bearer token that every request must carry, from this machine too; needed to be reached from elsewhere, or through a proxy',
  },
  readToken: {
    codec: Token,
    secret: true,
    description: 'bearer token that may only read, beside the one that may do all',
  },
  ...signInSettings,
  gateway: { codec: Port, description: "port to speak EventStoreDB's protocol on (default: none)" },
  tlsCertFile: { codec: Text, description: 'PEM file of the certificate that the gateway shows' },
  tlsKeyFile: { codec: Text, description: "PEM file of that certificate's key" },
  logLevel: {
    codec: Level,
    default: 'warn',
    value: 'level',
    description: 'fatal, error, warn, info, debug, trace or silent',
  },
  hands: {
    codec: PositiveInteger,
    default: 20,
    description: 'checks, or work items, under way at once in a worker',
  },
  threads: {
    codec: PositiveInteger,
    default: 2,
    description: 'threads that digest content, or listen to it',
  },
  bytesPerSecond: { codec: PositiveInteger, description: 'most bytes a worker reads in a second' },
  itemsPerSecond: { codec: PositiveInteger, description: 'most items a worker checks in a second' },
  idleMinSeconds: {
    codec: Seconds,
    default: 60,
    description: 'first wait before an empty queue is looked at again',
  },
  idleMaxSeconds: { codec: Seconds, default: 480, description: 'longest such wait' },
  claimSeconds: { codec: Seconds, default: 300, description: 'how long a claim holds without a word' },
  maxDeaths: {
    codec: PositiveInteger,
    default: 3,
    description:
      'a message, a question, or work of ingest, that so many processes in a row died of is set aside for a person',
  },
  stallSeconds: { codec: Seconds, default: 60, description: 'how long a reading may give no byte' },
  ...bucketSettings,
  mailServer: {
    codec: MailServer,
    login: true,
    archive: atStart('smtp://mail.archive.example:25'),
    description:
      'smtp://<host>:<port> or smtps://<host>:<port>: depositors get their reports by mail (default: none)',
  },
  mailFrom: {
    codec: Text,
    archive: atStart('archive@archive.example'),
    description: 'address that mails come from',
  },
  mailUsername: {
    codec: Text,
    archive: atStart('archive'),
    description: 'name to log in to the mail server with',
  },
  mailPassword: {
    codec: Text,
    secret: true,
    archive: atStart('file:/run/secrets/mail'),
    description: 'password to log in to the mail server with',
  },
  noticesMail: {
    codec: Recipients,
    people: true,
    archive: atStart('ada@archive.example'),
    description:
      'who is mailed what waits for a person: addresses with commas between (default: nobody); needs mailServer',
  },
  noticesWebhook: {
    codec: HttpAddress,
    secret: true,
    archive: atStart('env:ARCHIVE_WEBHOOK'),
    description: 'address that the same is posted to as JSON (default: none)',
  },
  noticesQuiet: {
    codec: QuietHours,
    archive: atOnce('22:00-07:00'),
    description: 'hours in which nobody is told, by the clock of the machine: 22:00-07:00 (default: none)',
  },
  noticesAfterSeconds: {
    codec: Seconds,
    default: 300,
    archive: atOnce(300),
    description: 'how long something must wait for a person, or be over, before that is told',
  },
  reports: {
    codec: Reports,
    people: true,
    archive: atOnce('monthly to=ada@archive.example store=main'),
    description:
      'reports that are mailed when their period ends: monthly to=ada@archive.example store=main when=wrong, several with semicolons between (default: none); needs mailServer',
  },
  publicUrl: {
    codec: HttpAddress,
    archive: atOnce('https://fonds.archive.example'),
    description: 'address of the page as people reach it, for links in mails and notices (default: none)',
  },
  ...proofSettings,
  ...personalSettings,
  dutySeconds: {
    codec: Seconds,
    default: 15,
    description:
      'how long the one process that reacts, relays or seals may be silent before another takes over',
  },
} satisfies Settings

/** Settings that every workflow sees. */
export type SystemConfig = ConfigOf<typeof systemSettings>

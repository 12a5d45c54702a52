import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { eventStoreDbForm, isEventStoreDbAddress } from '../../domain/kernel/server-address.ts'
import { parseHosts } from '../../workers/http/hosts.ts'
import { parseIndexFiles } from '../../workers/indexing/index-files.ts'
import { parseSources } from '../../workers/indexing/sources.ts'
import { isTool } from '../../workers/ingest/characterise/words.ts'
import { parseQuietHours } from '../notices/quiet-hours.ts'

/* What the values of settings may be; the name of each is what a refusal says. */

export const Port = t.refinement(NonNegativeInteger, (n) => n <= 65_535, 'port (0 to 65535)')
export const Level = t.keyof(
  { fatal: null, error: null, warn: null, info: null, debug: null, trace: null, silent: null },
  'log level',
)
export const Store = t.refinement(
  t.string,
  (s) => /^sqlite:.+/.test(s) || isEventStoreDbAddress(s),
  `event store address (sqlite:<file>, ${eventStoreDbForm})`,
)
const kafka = /^kafka:\/\/(\[[^\s\]@]+\]|[^\s,/@:]+):\d+(,(\[[^\s\]@]+\]|[^\s,/@:]+):\d+)*$/
export const BrokerAddress = t.refinement(
  t.string,
  (s) => s === 'embedded' || kafka.test(s),
  'broker address (embedded, or kafka://<host>:<port>,<host>:<port>; a name and a password go into FONDS_KAFKA_USERNAME and FONDS_KAFKA_PASSWORD)',
)
/** Short tokens can be guessed: programs try millions. */
export const Token = t.refinement(
  Text,
  (s) => s.length >= 16,
  'token of 16 characters or more (`openssl rand -hex 32` makes a good one)',
)
export const Prefix = t.refinement(
  t.string,
  (s) => /^[A-Za-z0-9._-]{0,100}$/.test(s),
  'topic prefix (letters, digits, . _ -)',
)
export const Replication = t.refinement(
  t.number,
  (n) => n === -1 || (Number.isInteger(n) && n >= 1 && n <= 100),
  "number of copies from 1 to 100, or -1 for the cluster's own default",
)
export const Hosts = t.refinement(
  Text,
  (s) => parseHosts(s) !== undefined,
  'names of hosts with commas between (media.example for one host, .media.example for all beneath it, too)',
)
export const OnOff = t.keyof({ on: null, off: null }, 'on or off')
export const Mechanism = t.keyof(
  { plain: null, 'scram-sha-256': null, 'scram-sha-512': null },
  'SASL mechanism',
)
export const Compression = t.keyof(
  { none: null, gzip: null, snappy: null, lz4: null, zstd: null },
  'compression',
)
export const HomeMode = t.keyof({ private: null, group: null }, 'private or group')
export const Durability = t.keyof({ full: null, normal: null }, 'durability (full or normal)')

/** A day at most: timers hold no more than 24 days, and a longer wait is a typing error. */
export const Seconds = t.refinement(
  PositiveInteger,
  (n) => n <= 86_400,
  'whole number of seconds from 1 to 86400',
)

export const Partitions = t.refinement(PositiveInteger, (n) => n <= 1024, 'whole number from 1 to 1024')
export const Days = t.refinement(PositiveInteger, (n) => n <= 36_500, 'whole number of days from 1 to 36500')
export const DaysOrNone = t.refinement(
  NonNegativeInteger,
  (n) => n <= 36_500,
  'whole number of days from 0 to 36500',
)

export const MailServer = t.refinement(
  t.string,
  (s) => /^smtps?:\/\/(\[[^\s\]@/]+\]|[^\s,/@:]+)(:\d{1,5})?$/.test(s),
  'mail server (smtp://<host>:<port>, or smtps://<host>:<port>; a name and a password go into FONDS_MAIL_USERNAME and FONDS_MAIL_PASSWORD)',
)
export const MailAddresses = t.refinement(
  t.string,
  (s) => s.split(',').every((address) => /^[^\s@,<>]+@[^\s@,<>]+$/.test(address.trim())),
  'mail addresses with commas between (ada@archive.example,bob@archive.example)',
)
export const QuietHours = t.refinement(
  t.string,
  (s) => parseQuietHours(s) !== undefined,
  'hours of the day, by the clock of this machine (22:00-07:00)',
)
export const HttpAddress = t.refinement(
  t.string,
  (s) => /^https?:\/\/[^\s@]+$/.test(s) && URL.canParse(s),
  'address (https://<host>; a name and a password have settings of their own)',
)
export const ReplayAddress = t.refinement(
  HttpAddress,
  (s) => s.endsWith('/') && !/[?#]/.test(s),
  'address of replay that ends in a slash (http://127.0.0.1:8080/web/)',
)
export const Inventory = t.keyof({ own: null, other: null }, 'own or other')
export const Tool = t.refinement(
  Text,
  isTool,
  'command line (words with blanks between, in quotes where they have blanks), or address without a password (http://<host>:<port>/<path>)',
)
export const Sources = t.refinement(
  Text,
  (s) => parseSources(s) !== undefined,
  'repositories and where their files are listed, with commas between (main=/srv/warcs,nas=https://host.example/files)',
)
export const Order = t.keyof({ 'newest-first': null, 'oldest-first': null }, 'newest-first or oldest-first')
export const Format = t.keyof(
  { 'cdx-11': null, 'cdx-9': null, 'cdx-14': null, cdxj: null },
  'cdx-11, cdx-9, cdx-14 or cdxj',
)
export const Sort = t.keyof({ own: null, gnu: null }, 'own or gnu')
export const IndexFiles = t.refinement(
  Text,
  (s) => parseIndexFiles(s) !== undefined,
  'absolute paths that end in .cdx or .cdxj, each once, with commas between (/srv/cdx/main.cdx,/srv/cdx/new.cdx)',
)
export const Percent = t.refinement(PositiveInteger, (n) => n <= 100, 'whole number from 1 to 100')
/** Of tapes and clocks: more would be another key. */
export const DriftPercent = t.refinement(
  t.number,
  (n) => n >= 0 && n <= 1,
  'number from 0 to 1 (0.1: a tenth of a per cent, either way)',
)
/** What a minted name begins with: a NAAN, and letters that one minter alone has. */
export const Shoulder = t.refinement(
  t.string,
  (s) => /^ark:\/[0-9bcdfghjkmnpqrstvwxz]{5,16}\/[0-9bcdfghjkmnpqrstvwxz]{1,20}$/.test(s),
  'shoulder (ark:/99999/fk4: a NAAN, and digits and consonants without l)',
)

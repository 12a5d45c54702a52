import { join } from 'node:path'
import * as t from 'io-ts'
import { PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import {
  atOnce,
  atStart,
  type ConfigOf,
  oneFolder,
  type Settings,
  somePaths,
} from '../../domain/kernel/setting.ts'
import { parseIndexFiles } from '../../workers/indexing/index-files.ts'
import { parseSources } from '../../workers/indexing/sources.ts'
import { HttpAddress, type RoomConfig, Seconds } from '../setting-codecs.ts'
import type { SystemConfig } from '../system/settings.ts'

const ReplayAddress = t.refinement(
  HttpAddress,
  (s) => s.endsWith('/') && !/[?#]/.test(s),
  'address of replay that ends in a slash (http://127.0.0.1:8080/web/)',
)
const Sources = t.refinement(
  Text,
  (s) => parseSources(s) !== undefined,
  'repositories and where their files are listed, with commas between (main=/srv/warcs,nas=https://host.example/files)',
)
const Order = t.keyof({ 'newest-first': null, 'oldest-first': null }, 'newest-first or oldest-first')
const Format = t.keyof(
  { 'cdx-11': null, 'cdx-9': null, 'cdx-14': null, cdxj: null },
  'cdx-11, cdx-9, cdx-14 or cdxj',
)
const Sort = t.keyof({ own: null, gnu: null }, 'own or gnu')
const IndexFiles = t.refinement(
  Text,
  (s) => parseIndexFiles(s) !== undefined,
  'absolute paths that end in .cdx or .cdxj, each once, with commas between (/srv/cdx/main.cdx,/srv/cdx/new.cdx)',
)

export const indexingSettings = {
  indexingSources: {
    codec: Sources,
    archive: { ...atOnce('main=/srv/warcs'), isPath: 'some' },
    description:
      'where archive files are looked for: <repository>=<folder, s3://bucket/prefix or list>, a list as a file or an address, with commas between (default: nowhere)',
  },
  indexingPollSeconds: {
    codec: Seconds,
    default: 900,
    archive: atOnce(900),
    description: 'how often they are looked for',
  },
  indexingGraceSeconds: {
    codec: Seconds,
    default: 600,
    archive: atStart(600),
    description: 'how long a file must have stood still before it is indexed; objects in buckets need not',
  },
  indexingRetrySeconds: {
    codec: Seconds,
    default: 900,
    archive: atStart(900),
    description: 'how long after a failure a file is tried again',
  },
  indexingAttempts: {
    codec: PositiveInteger,
    default: 3,
    archive: atStart(3),
    description: 'a file that failed so often is parked, and waits for a person',
  },
  indexingOrder: {
    codec: Order,
    default: 'newest-first',
    archive: atStart('newest-first'),
    description:
      'newest-first or oldest-first: which of the files that failed as often is indexed first, by the dates of their last change',
  },
  indexingFolder: {
    codec: Text,
    default: (home: string) => join(home, 'index'),
    archive: oneFolder('/srv/archive/index'),
    description:
      'folder of the index, with its runs and what is to be taken over into it (default <home>/index)',
  },
  indexingFormat: {
    codec: Format,
    default: 'cdx-11',
    archive: atStart('cdx-11'),
    description: 'how lines are written: cdx-11, cdx-9, cdx-14 or cdxj',
  },
  indexingRequestKeys: {
    codec: t.keyof({ on: null, off: null }, 'on or off'),
    default: 'off',
    archive: atStart('on'),
    description:
      'on: the key of a response to a POST or PUT says what was sent, as `cdxj-indexer -p` and pywb have it. Files indexed before have to be indexed again: `fonds doctor` counts them',
  },
  indexingAggregateSeconds: {
    codec: Seconds,
    default: 600,
    archive: atStart(600),
    description: 'how often runs of the index of captures are merged',
  },
  indexingFiles: {
    codec: IndexFiles,
    archive: somePaths('/srv/cdx/main.cdx'),
    description:
      'plain index files for replay, which the aggregator writes: absolute paths with commas between (default: none)',
  },
  indexingReplay: {
    codec: ReplayAddress,
    archive: atOnce('http://127.0.0.1:8080/web/'),
    description:
      "where replay shows captures: an address that ends in a slash, behind which a capture's time and its URL follow (default: none)",
  },
  indexingSort: {
    codec: Sort,
    default: 'own',
    description:
      'own or gnu: what merges runs into plain index files, our own code or the `sort` of the machine',
  },
  indexingScanLines: {
    codec: PositiveInteger,
    default: 1_000_000,
    archive: atOnce(1_000_000),
    description:
      'lines of the index that one question about captures may look at; an answer that was cut says so',
  },
} satisfies Settings

/** Settings that indexing sees. */
export type IndexingConfig = SystemConfig & RoomConfig & ConfigOf<typeof indexingSettings>

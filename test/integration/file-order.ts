import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begun in this order, so that none begins late, when nothing is left to run beside it: those that wait for servers and for
 * leases to run out, beside those that compute; of those that start several nodes, one at a time. Pages come one by one:
 * the first makes what all of them use.
 */
export const longest = [
  'nodes/killed-nodes',
  'page/time-machine',
  'judges/ocfl-in-buckets',
  'nodes/one-log',
  'e2e/gone-back',
  'nodes/two-homes',
  'judges/ingest-disks',
  'page/fixity',
  'nodes/ingest',
  'research/bad-input',
  'kafka-security',
  'nodes/matching',
  'page/matching',
  'integration/kafka-broker.',
  'judges/ingest-kills',
  'research/races',
  'nodes/chaos',
  'page/indexing',
  'kafka-foreign-records',
  'e2e/leaders',
  'nodes/log-away',
  'fixity-story',
  'page/home',
  'nodes/no-shared-volume',
  'judges/fuzz-archives',
  'page/log',
  'judges/replay.',
  'nodes/garbage-records',
  'ingest/full-volume',
  'e2e/research/search',
  'page/budgets',
  'page/ingest',
  'ingest/many-files',
  'page/research',
  'nodes/waiting-messages',
  'integration/newcomers/administrator',
  'page/newcomers/administrator',
  'nodes/research',
  'judges/prometheus',
  'judges/readers',
  'e2e/workers',
  'page/newcomers/officer',
  'page/newcomers/repository',
  'page/newcomers/programme',
  'page/newcomers/web',
  'integration/newcomers/officer',
  'integration/newcomers/programme',
]

/** Files that wait for a server run beside those that compute: all the time, some of each. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(name)))
    const rest = sorted.filter((file) => !long.includes(file))
    return [...long, ...spread(Object.values(Object.groupBy(rest, projectOf)))]
  }
}

const projectOf = ({ project }: TestSpecification): string => project.name

/** Each list in its order, at even distances. */
export const spread = <A>(lists: readonly (readonly A[] | undefined)[]): A[] =>
  lists
    .flatMap((list = []) => list.map((item, i) => ({ item, place: (i + 0.5) / list.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

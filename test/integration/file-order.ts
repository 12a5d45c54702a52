import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** None begins late, when nothing is left to run beside it. */
const longest = [
  'nodes/killed-nodes',
  'nodes/one-log',
  'integration/kafka-broker.',
  'nodes/log-away',
  'nodes/ingest',
  'judges/ingest-kills',
  'page/time-machine',
  'matching/bad-input',
  'ingest/many-files',
]

/** Files that wait for a server run beside those that compute: all the time, some of each. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.includes(name))
    const rest = sorted.filter((file) => !isLong(file))
    return [...sorted.filter(isLong), ...spread(Object.values(Object.groupBy(rest, projectOf)))]
  }
}

const projectOf = ({ project }: TestSpecification): string => project.name

/** Each list in its order, at even distances. */
export const spread = <A>(lists: readonly (readonly A[] | undefined)[]): A[] =>
  lists
    .flatMap((list = []) => list.map((item, i) => ({ item, place: (i + 0.5) / list.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

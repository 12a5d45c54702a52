import { InvalidSetting } from '../../async/errors.ts'
import { count, plural } from '../../domain/kernel/amounts.ts'
import type { LostLines } from '../../ports/capture-index.ts'
import type { Cause } from '../cause.ts'
import type { IndexingContext } from './context.ts'

/** Returns damaged blocks of the index of captures whose lines were not restored. */
export const lostLines = async ({
  captureIndex,
}: Pick<IndexingContext, 'captureIndex'>): Promise<readonly Cause[]> => {
  try {
    return (await captureIndex().losses()).map(causeOf)
  } catch (error) {
    // Doctor's own check reports damage of the whole index.
    if (error instanceof InvalidSetting) return []
    throw error
  }
}

const maxNamed = 5

const causeOf = ({ run, at, lines, blocks, from, to, files, posts }: LostLines): Cause => {
  const named = files.slice(0, maxNamed).map(({ file }) => file)
  const others = files.length > maxNamed ? ` and ${count(files.length - maxNamed)} others` : ''
  const whose = [
    ...(files.length > 0 ? [`${plural(files.length, 'file')}: ${named.join(', ')}${others}`] : []),
    ...(posts > 0 ? [plural(posts, 'post')] : []),
  ]
  const what =
    blocks > 0
      ? `${plural(lines, 'line')} in ${plural(blocks, 'damaged block')}, ${placeOf(from, to)}, are lost, and are not served`
      : 'some of its lines are damaged, and nothing says which: it is from before blocks had sums'
  return {
    key: `lost/indexing/${run}`,
    says: `index of captures, run ${run}, since ${new Date(at).toISOString()}: ${what} (${whose.join('; ')})`,
    todo: [
      'look at the disk of FONDS_INDEXING_FOLDER',
      ...(files.length > 0
        ? ['available files are indexed again by themselves, others once they are sighted']
        : []),
      ...(posts > 0
        ? ['posted lines are stored nowhere else: post them again, or restore a backup of the run']
        : []),
    ].join('; '),
    weight: Math.max(1, lines),
  }
}

/** An empty key: no good line is before them, or behind. */
const placeOf = (from: string, to: string): string =>
  from === '' && to === ''
    ? 'all that it has'
    : `between the keys ${shown(from) || '(the start)'} and ${shown(to) || '(the end)'}`

const shown = (key: string): string => Buffer.from(key, 'latin1').toString()

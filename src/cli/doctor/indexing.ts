import type { System } from '../../app/system.ts'
import { files } from '../../domain/indexing/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import { indexPlace } from '../../workflows/indexing/index-place.ts'
import { count } from '../output/text.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** How long lines may wait for the aggregator, which looks each second. */
const waitMillis = 5 * MINUTE

/** Whether what was indexed is in the index of captures; nothing where no file was. */
export const captureIndex = async (system: System): Promise<readonly Finding[]> => {
  const { viewStore, clock } = system
  const [last] = rowsIfFolded(viewStore, files, {
    where: [{ column: 'position', is: '>=', value: 0 }],
    orderBy: [{ column: 'position', descending: true }],
    limit: 1,
  })
  if (last?.position == null) return []
  const { reached, mismatch } = await indexPlace(system)
  if (mismatch !== undefined)
    return [fail('capture index', mismatch, 'docs/indexing.md, Back up and restore')]
  const [waits] = rowsIfFolded(viewStore, files, {
    where: [{ column: 'position', is: '>', value: Number(reached) }],
    orderBy: [{ column: 'position' }],
    limit: 1,
  })
  return [
    waits?.indexedAt && waits.indexedAt < addMillis(clock.now(), -waitMillis)
      ? warn(
          'capture index',
          `lines wait to be taken over since ${waits.indexedAt}`,
          '`fonds start` or `fonds worker aggregator` takes them; their log says what keeps them from it',
        )
      : ok('capture index', `it has what was decided up to position ${count(Number(reached))}`),
  ]
}

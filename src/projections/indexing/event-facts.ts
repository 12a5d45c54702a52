import type { IndexingEvent } from '../../domain/indexing/events.ts'
import type { files } from '../../domain/indexing/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'

type FileFacts = Partial<
  Pick<
    RowOf<typeof files>,
    'code' | 'because' | 'offset' | 'indexedAt' | 'lines' | 'digest' | 'requestKeys' | 'loss' | 'warnings'
  >
>

export const noFailure = { code: null, because: null, offset: null } as const
const nothingFound = { lines: null, digest: null, requestKeys: 0, indexedAt: null, warnings: [] } as const

/** Facts of an event about its file that no decision needs. */
export const factsOf = ({ type, data }: IndexingEvent): FileFacts => {
  switch (type) {
    case 'FileIndexed': {
      const { lines, digest, warnings, loss = null, requestKeys, at } = data
      return { ...noFailure, lines, digest, requestKeys: requestKeys ? 1 : 0, loss, warnings, indexedAt: at }
    }
    case 'FileAdopted':
      return { ...noFailure, requestKeys: 0, loss: null, indexedAt: data.at }
    case 'IndexingFailed':
      return {
        code: data.code,
        because: data.reason,
        offset: data.offset ?? null,
        ...(data.code === 'lost' && nothingFound),
      }
    case 'ConflictFound':
      return { because: data.because }
    case 'FileParked':
      return data.by === 'person' ? { because: data.reason } : {}
    case 'ContentChanged':
    case 'KindGiven':
    case 'FileReset':
    case 'FileSalvageRequested':
    case 'FileRescued':
      return noFailure
    case 'FileWithdrawn':
      return {
        ...noFailure,
        because: data.reason ?? null,
        ...nothingFound,
      }
    default:
      return {}
  }
}

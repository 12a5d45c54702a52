import type { ArchiveFile } from '../../../domain/indexing/file.ts'
import type { files } from '../../../domain/indexing/views.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'

type Failed = Pick<RowOf<typeof files>, 'repository' | 'name' | 'state' | 'code'>

/** Others of its records may be whole. */
export const isDamaged = ({ code }: Failed): boolean => code === 'truncated' || code === 'corrupt'

export const salvageCommand = ({ repository, name }: ArchiveFile): string =>
  `fonds do indexing.salvage repository=${repository} name=${name}`

export const rescueCommand = ({ repository, name }: ArchiveFile): string =>
  `fonds indexing rescue ${repository} ${name}`

/** What a person may do with a file that failed (W20); null where there is nothing but to wait. */
export const commandFor = (row: Failed): string | null =>
  isDamaged(row) ? salvageCommand(row) : row.state === 'parked' ? rescueCommand(row) : null

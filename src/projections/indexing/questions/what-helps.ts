import type { ArchiveFile } from '../../../domain/indexing/file.ts'
import type { files } from '../../../domain/indexing/views.ts'
import { shellWord } from '../../../domain/kernel/shell-word.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'

type Failed = Pick<RowOf<typeof files>, 'repository' | 'name' | 'state' | 'code'>

/** True if the file is damaged: others of its records may be whole. */
export const isDamaged = ({ code }: Failed): boolean => code === 'truncated' || code === 'corrupt'

export const salvageCommand = ({ repository, name }: ArchiveFile): string =>
  `fonds do indexing.salvage repository=${repository} name=${shellWord(name)}`

export const rescueCommand = ({ repository, name }: ArchiveFile): string =>
  `fonds indexing rescue ${repository} ${shellWord(name)}`

/** Command for a person about a file that failed (W20); null if there is nothing to do but wait. */
export const commandFor = (row: Failed): string | null =>
  isDamaged(row) ? salvageCommand(row) : row.state === 'parked' ? rescueCommand(row) : null

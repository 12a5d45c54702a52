import type { ArchiveFile } from './file.ts'
import type { Job } from './outcome.ts'

/** One file to work on (W13), under a claim. */
export interface IndexingTask {
  readonly file: ArchiveFile
  readonly fence: number
  readonly job: Job
}

import type { ArchiveFile } from './file.ts'
import type { Job } from './outcome.ts'

/** One file to work on (W13), under a claim. */
export interface IndexingTask {
  readonly file: ArchiveFile
  readonly fence: number
  readonly job: Job
  /** Whether the claim still holds: asked before lines are published. It holds for as long as it may, from then on. */
  confirm(): Promise<boolean>
}

import type { CopyTools } from './copy-files.ts'

/** Files beside the log that cannot be made again: a backup copies them, and is put back by copying. */
export interface KeptFiles {
  /** Name of the folder, or of the file, in a backup. It never changes: a backup is copied over an empty home. */
  readonly name: string
  readonly from: string
  /** Shown while they are copied: `uploads`. Absent: one small file, which is no part of its own. */
  readonly label?: string
  /**
   * `before` the log, which must record all that they hold; `after` it, since they must hold all that it records;
   * `around`: both, since files come and are taken away meanwhile.
   */
  readonly copied: 'before' | 'around' | 'after'
  /** Set if they may be left out of a backup, or are never in it: a sentence on what to do instead. */
  readonly otherwise?: string
  /** Absent: they are elsewhere, and no backup has them. Throws `UnavailableError`. */
  copy?(from: string, to: string, tools: CopyTools): Promise<void>
}

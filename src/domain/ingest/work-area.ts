import type { RoomTerms, Volume } from './room.ts'

/** Where jobs have their files, as a process is set to and sees it. */
export interface WorkArea extends RoomTerms {
  /** Another system says what is recorded. */
  readonly recordsElsewhere: boolean
  /** Jobs that such a process works on at once. */
  readonly atOnce: number
  /** Sites of this process: its home, its work folder. */
  sites(): Promise<readonly string[]>
  /** Undefined where it is not to be seen from here. */
  workVolume(): Promise<Volume | undefined>
  /** The disk of the storage root. Undefined where the root is in a bucket, or is not to be seen from here. */
  storageVolume(): Promise<Volume | undefined>
}

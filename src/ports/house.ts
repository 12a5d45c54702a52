import type { RoomTerms, Volume } from '../domain/ingest/room.ts'

/** What the process that answers a question is set to, and what it sees of its machine. */
export interface House {
  readonly indexing: {
    /** What addresses of replay begin with: a capture's time, a slash and its URL follow. */
    readonly replay: string | undefined
  }
  readonly ingest: RoomTerms & {
    /** Another system says what is recorded. */
    readonly recordsElsewhere: boolean
    /** Sites of this process: its home, its work folder. */
    sites(): Promise<readonly string[]>
    /** Where jobs have their files; undefined where that is not to be seen from here. */
    workVolume(): Promise<Volume | undefined>
  }
}

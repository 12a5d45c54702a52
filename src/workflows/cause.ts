/** Something that a person must do. */
export interface Cause {
  /** Stable for as long as it is the same cause: `findings/main/internal`. */
  readonly key: string
  /** One sentence without a full stop. */
  readonly says: string
  /** A few words for the subject of a mail; absent: the sentence is short enough. */
  readonly brief?: string
  /** Advice, with the command that resolves it. */
  readonly todo: string
  /** Address of it on the page, from its root: `/fixity`. */
  readonly page?: string
  /** Number of affected things. */
  readonly weight: number
}

/** Returns no cause if the weight is 0. */
export const counted = (weight: number, cause: (count: number) => Omit<Cause, 'weight'>): readonly Cause[] =>
  weight > 0 ? [{ ...cause(weight), weight }] : []

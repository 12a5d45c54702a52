/** Something that a person must do. */
export interface Cause {
  /** The same for as long as it is the same cause: `findings/main/internal`. */
  readonly key: string
  /** One sentence without a dot. */
  readonly says: string
  /** What to do, with the command that settles it. */
  readonly todo: string
  /** How much of it there is. */
  readonly weight: number
}

/** None where there is nothing of it. */
export const counted = (weight: number, cause: (count: number) => Omit<Cause, 'weight'>): readonly Cause[] =>
  weight > 0 ? [{ ...cause(weight), weight }] : []

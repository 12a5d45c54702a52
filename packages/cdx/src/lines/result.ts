/** A value, or the reason why there is none, in the shape of fp-ts's `Either`. */
export type Result<Wrong, Read> =
  | { readonly _tag: 'Left'; readonly left: Wrong }
  | { readonly _tag: 'Right'; readonly right: Read }

export const wrong = <Wrong>(left: Wrong): Result<Wrong, never> => ({ _tag: 'Left', left })

export const read = <Read>(right: Read): Result<never, Read> => ({ _tag: 'Right', right })

/** Maps the reason. */
export const inWords = <Wrong, Other, Read>(
  result: Result<Wrong, Read>,
  words: (wrong: Wrong) => Other,
): Result<Other, Read> => (result._tag === 'Left' ? wrong(words(result.left)) : result)

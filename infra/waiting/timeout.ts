/** What the work resolves with; where that takes longer, what `onTimeout` returns or throws. The work itself goes on. */
export const withTimeout = async <A, B>(
  work: Promise<A>,
  millis: number,
  onTimeout: () => B,
): Promise<A | B> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, millis)
  })
  try {
    return await Promise.race([work, late.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}

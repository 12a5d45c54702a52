/** Waits for all of them, then throws the first failure: nothing is still at work then. */
export const finishAll = async <A>(work: readonly Promise<A>[]): Promise<A[]> => {
  await Promise.allSettled(work)
  return Promise.all(work)
}

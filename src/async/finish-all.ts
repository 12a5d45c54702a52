/** Waits for all of them, then throws the first failure: when the caller goes on, nothing is still at work. */
export const finishAll = async <A>(work: readonly Promise<A>[]): Promise<A[]> => {
  await Promise.allSettled(work)
  return Promise.all(work)
}

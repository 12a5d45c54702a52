/** Runs pieces of work one after the other, in the order of the calls, also after one has failed. */
export const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(work: () => Promise<A>): Promise<A> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

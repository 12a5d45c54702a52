/** One piece of work after the other, in the order in which they were handed in, whatever becomes of those before. */
export const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(work: () => Promise<A>): Promise<A> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

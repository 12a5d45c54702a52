import type { Clock } from '../ports/clock.ts'

/**
 * Returns for how long each item has had the same state, by the waiting process's monotonic clock: a time in the state
 * may be from a clock that ran ahead. Each call names all watched items; others are forgotten. `wordOf`: an item's
 * name, and its latest state.
 */
export const watchSilence = ({ monotonic }: Pick<Clock, 'monotonic'>) => {
  let watched: ReadonlyMap<string, { readonly word: string; readonly since: number }> = new Map()

  return <A>(
    those: readonly A[],
    wordOf: (one: A) => readonly [name: string, word: string],
  ): readonly (readonly [A, millis: number])[] => {
    const now = monotonic()
    const heard = those.map((one) => {
      const [name, word] = wordOf(one)
      const known = watched.get(name)
      return { one, name, word, since: known?.word === word ? known.since : now }
    })
    watched = new Map(heard.map(({ name, word, since }) => [name, { word, since }]))
    return heard.map(({ one, since }) => [one, now - since])
  }
}

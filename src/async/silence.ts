import type { Clock } from '../ports/clock.ts'

/**
 * For how long each of these has said the same, by the monotonic clock of who waits: a time that it gave may be of a clock that
 * ran ahead. Each call names all that are watched now; what is not named is forgotten. `wordOf`: its name, and its last word.
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

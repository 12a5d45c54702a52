/** All rows between two of them, in their order; the one alone where the other is not there. */
export const between = (keys: readonly string[], from: string | undefined, to: string): readonly string[] => {
  const [a, b] = [from === undefined ? -1 : keys.indexOf(from), keys.indexOf(to)]
  return a === -1 || b === -1 ? [to] : keys.slice(Math.min(a, b), Math.max(a, b) + 1)
}

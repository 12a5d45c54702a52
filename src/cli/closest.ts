/** The known name nearest to a mistyped one; undefined where none is near. */
export const closest = (given: string, known: readonly string[]): string | undefined => {
  const [best] = known
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 4) || name.includes(given))
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}

/** "did you mean a, or one of a, b, c?" for a name that is not there. */
export const didYouMean = (given: string, known: readonly string[]): string => {
  const near = closest(given, known)
  const all = known.length > 0 ? `there are ${known.join(', ')}` : 'there are none yet'
  return near ? `did you mean ${near}? ${all}` : all
}

/** Levenshtein distance. */
const distanceOf = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

/**
 * Flattens JSON into parameters, one for each value that is not a list or an object: `{"a":{"b":[1,2]}}` is
 * `b=1&b.2_=2`. Values have Python's spelling, as in the keys of other programs. Returns undefined if the
 * text is neither JSON nor JSON lines.
 */
export const flattenedJson = (text: string): string | undefined => {
  const documents = parsed(text) ?? parsedLines(text)
  if (documents === undefined) return undefined
  const values = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const document of documents)
    for (const [name, value] of leaves(document)) {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      values.set(count === 1 ? name : `${name}.${count}_`, spelling(value))
    }
  return new URLSearchParams([...values]).toString()
}

const parsed = (text: string): readonly unknown[] | undefined => {
  try {
    return [JSON.parse(text)]
  } catch {
    return undefined
  }
}

const parsedLines = (text: string): readonly unknown[] | undefined => {
  const lines = text.split('\n').map(parsed)
  return lines.length > 1 && lines.every((line) => line !== undefined) ? lines.flat() : undefined
}

/**
 * Lists the values in their order, however deeply nested. Each has the name of the object's member that it
 * is, or whose list it is in.
 */
const leaves = (document: unknown): readonly (readonly [string, unknown])[] => {
  const found: (readonly [string, unknown])[] = []
  const waiting: (readonly [string, unknown])[] = [['', document]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inside = membersOf(next)
    if (inside !== undefined) for (const member of inside.toReversed()) waiting.push(member)
    else if (next[0] !== '') found.push(next)
  }
  return found
}

const membersOf = ([name, value]: readonly [string, unknown]):
  | readonly (readonly [string, unknown])[]
  | undefined =>
  Array.isArray(value)
    ? value.map((item: unknown) => [name, item] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : undefined

const spelling = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value)

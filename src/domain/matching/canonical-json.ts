/** JSON with the names of every object in order: equal texts mean equal values, whatever order a source wrote them in. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, held]) => held !== undefined)
  return `{${fields
    .map(([name, held]) => `${JSON.stringify(name)}:${canonicalJson(held)}`)
    .toSorted()
    .join(',')}}`
}

/** Whether two JSON texts say the same, whatever order the names in them are in. They mostly are the same text. */
export const saySame = (one: string, other: string): boolean =>
  one === other || canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other))

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The same fields without those that are undefined: an event holds a field or does not. */
export const defined = <T extends object>(fields: T): Defined<T> => {
  const kept: Partial<T> = {}
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept as Defined<T>
}

/**
 * Returns true if a value equals its JSON text read back: no undefined field, no number that JSON lacks, no instance of
 * a class. Checking is cheaper than writing and parsing.
 */
export const isPlainJson = (value: unknown): boolean => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'object':
      return value === null || (Array.isArray(value) ? isPlainArray(value) : isPlainObject(value))
    default:
      return false
  }
}

const isPlainArray = (values: readonly unknown[]): boolean => {
  // A missing index reads as undefined.
  for (let i = 0; i < values.length; i++) if (!isPlainJson(values[i])) return false
  return true
}

const isPlainObject = (value: object): boolean => {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const name in value) if (!isPlainJson((value as Record<string, unknown>)[name])) return false
  return true
}

/**
 * Whether a value is exactly what reading its JSON text back would make: no field that is undefined, no number that JSON has
 * not, no object of a class. To look is cheaper than to write and parse.
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
  // An index that is left out reads as undefined.
  for (let i = 0; i < values.length; i++) if (!isPlainJson(values[i])) return false
  return true
}

const isPlainObject = (value: object): boolean => {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const name in value) if (!isPlainJson((value as Record<string, unknown>)[name])) return false
  return true
}

/* What one sees is in the address: this is the page's only state that lasts. */

/** Where a page stands: its path, and what it is asked. */
export interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

export const addressOf = (url: string): Address => {
  const { pathname, search } = new URL(url, 'http://page')
  return { path: pathname, query: new URLSearchParams(search) }
}

/** The values of a pattern's names, as in `/log/streams/:stream`; undefined where the path is another. */
export const match = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  if (wanted.length !== parts.length) return undefined
  const values: Record<string, string> = {}
  for (const [i, name] of wanted.entries()) {
    const part = parts[i] as string
    if (name.startsWith(':')) {
      const value = decoded(part)
      if (value === undefined || value === '') return undefined
      values[name.slice(1)] = value
    } else if (name !== part) return undefined
  }
  return values
}

/** Undefined where it is no percent-encoding. */
const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** The path of a pattern with its names filled in. */
export const pathOf = (pattern: string, values: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** The same place, asked something else: an empty value takes a name away. */
export const changed = (
  { path, query }: Address,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string => {
  const asked = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    asked.delete(name)
    for (const one of typeof value === 'string' ? [value] : (value ?? []))
      if (one !== '') asked.append(name, one)
  }
  return asked.size === 0 ? path : `${path}?${asked}`
}

/** `to`, within the past that is shown: it has the `at` of the address that leads there, unless it names its own. Empty, that leads out of the past. */
export const carried = (to: string, at: string | null): string => {
  const address = addressOf(to)
  return changed(address, { at: address.query.get('at') ?? at ?? '' })
}

/** The same place as it is now. */
export const inPresent = (address: Address): string => {
  const to = changed(address, { at: undefined })
  return `${to}${to.includes('?') ? '&' : '?'}at=`
}

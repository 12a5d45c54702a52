/** A file as a content store has it. */
export interface ContentPlace {
  /** Argument of the store's factory. */
  readonly root: string
  readonly path: string
}

/**
 * Splits a location on a server into a store and a path in it. Undefined for a file of this machine, and for an address
 * that does not follow from its path (`?id=7`): such a file is fetched.
 */
export const contentPlace = (location: string): ContentPlace | undefined => {
  const bucket = /^(s3:\/\/[^/]+)\/(.+)$/s.exec(location)
  if (bucket) return { root: bucket[1]!, path: bucket[2]! }
  if (!/^https?:/.test(location)) return undefined
  const { origin, pathname, search, hash, username } = new URL(location)
  const path = decodedPath(pathname.slice(1))
  const isPlain = search === '' && hash === '' && username === ''
  return isPlain && path !== undefined ? { root: origin, path } : undefined
}

/** Undefined unless encoding it by segments gives the same. */
const decodedPath = (pathname: string): string | undefined => {
  try {
    const path = decodeURIComponent(pathname)
    return path.split('/').map(encodeURIComponent).join('/') === pathname ? path : undefined
  } catch {
    return undefined
  }
}

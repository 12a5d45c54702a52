/* A name and a password in an address: `http://name:password@host/`. */

/** Returns true for an address with a name or a password; false for an invalid address. */
export const hasLogin = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

/**
 * Reason why an address with a name or a password is refused: it continues the name of a field; undefined for
 * others.
 */
export const whyLoginRefused = (address: string): string | undefined =>
  hasLogin(address) ? loginRefused : undefined

/** The address without name and password, for display. Other addresses stay as written. */
export const withoutLogin = (address: string): string => {
  if (!hasLogin(address)) return address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

/** Reason why an address with a name or a password is refused; continues the name of a field. */
export const loginRefused =
  'holds a name or a password, which everybody would see who reads of it; have the server give it out without'

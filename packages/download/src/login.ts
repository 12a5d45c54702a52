/* A name and a password within an address: `http://name:password@host/`. */

/** True for an address with a name or a password in it; false for what is no address. */
export const hasLogin = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

/** Why an address with a name or a password is refused: it continues the name of a field; undefined of others. */
export const whyLoginRefused = (address: string): string | undefined =>
  hasLogin(address) ? loginRefused : undefined

/** The address without name and password, to be shown. Others stay as they are written. */
export const withoutLogin = (address: string): string => {
  if (!hasLogin(address)) return address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

/** Why an address with a name or a password is refused; continues the name of a field. */
export const loginRefused =
  'holds a name or a password, which everybody would see who reads of it; have the server give it out without'

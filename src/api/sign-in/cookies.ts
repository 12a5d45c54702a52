/** A cookie of this server, by its name and attributes. */
export interface Cookie {
  /** All values that came under the name: others may have set it for the same host. */
  readonly values: (header: string | undefined) => readonly string[]
  /** The header that sets it. */
  readonly set: (value: string, seconds: number) => string
  readonly clear: () => string
}

/**
 * Over TLS the name has the prefix `__Host-`: browsers then take it from this host alone. `Lax` comes along when another
 * site leads here, `Strict` only with what our own pages ask.
 */
export const cookie = (name: string, sameSite: 'Lax' | 'Strict', isSecure: () => boolean): Cookie => {
  const whole = () => (isSecure() ? `__Host-${name}` : name)
  const set = (value: string, seconds: number) =>
    `${whole()}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${isSecure() ? '; Secure' : ''}`
  return {
    values: (header = '') =>
      header.split(';').flatMap((one) => {
        const [key, value] = one.trim().split('=', 2)
        return key === whole() && value ? [value] : []
      }),
    set,
    clear: () => set('', 0),
  }
}

/** Who acts is asked once and remembered in this browser. */
export const actorNow = (): string => localStorage.getItem('fonds-actor') ?? ''

export const rememberActor = (actor: string): void => localStorage.setItem('fonds-actor', actor)

/** `crypto.randomUUID` is missing on pages that came over plain HTTP from another machine. */
export const uniqueKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

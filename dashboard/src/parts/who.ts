/** Who acts is asked once and remembered in this browser. */
export const actorNow = (): string => localStorage.getItem('fonds-actor') ?? ''

export const rememberActor = (actor: string): void => localStorage.setItem('fonds-actor', actor)

const reasonsKey = 'fonds-reasons'
const maxReasons = 5

/** Reasons that were typed in this browser, the last first. */
export const lastReasons = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(reasonsKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export const rememberReason = (reason: string): void =>
  localStorage.setItem(
    reasonsKey,
    JSON.stringify([reason, ...lastReasons().filter((one) => one !== reason)].slice(0, maxReasons)),
  )

/** `crypto.randomUUID` is missing on pages that came over plain HTTP from another machine. */
export const uniqueKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

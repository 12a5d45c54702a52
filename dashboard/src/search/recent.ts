/* What was opened from the box last, in this browser alone. */

export interface Recent {
  readonly title: string
  readonly note: string
  readonly page: string
}

const key = 'fonds-recent'
const most = 8

const isRecent = (one: unknown): one is Recent =>
  typeof one === 'object' &&
  one !== null &&
  ['title', 'note', 'page'].every((name) => typeof (one as Record<string, unknown>)[name] === 'string') &&
  // Only places of this page.
  /^\/(?!\/)/.test((one as Recent).page)

/** Empty where the browser keeps nothing, or something else. */
export const recent = (): readonly Recent[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, most) : []
  } catch {
    return []
  }
}

export const remember = (one: Recent): void => {
  const others = recent().filter(({ page }) => page !== one.page)
  try {
    localStorage.setItem(key, JSON.stringify([one, ...others].slice(0, most)))
  } catch {
    // A browser that keeps nothing, or has no room.
  }
}

import { fileURLToPath } from 'node:url'

/** The absolute path that an address means; undefined where it is on a server. */
export const pathOfAddress = (address: string | null): string | undefined => {
  if (address === null || address.startsWith('/')) return address ?? undefined
  try {
    return fileURLToPath(address)
  } catch {
    return undefined
  }
}

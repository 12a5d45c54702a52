import { fileURLToPath } from 'node:url'

/** Returns the absolute path of an address; undefined if it is on a server. */
export const pathOfAddress = (address: string | null): string | undefined => {
  if (address === null || address.startsWith('/')) return address ?? undefined
  try {
    return fileURLToPath(address)
  } catch {
    return undefined
  }
}

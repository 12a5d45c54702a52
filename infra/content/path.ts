import { refused } from './failed.ts'

/** Throws unless `path` names something below a root by the port's rules. */
export const checkPath = (path: string): void => {
  const reason = pathFailure(path)
  if (reason) throw refused(path, reason)
}

/** Why `path` names nothing below a root by the port's rules; undefined if it may. */
export const pathFailure = (path: string): string | undefined => {
  if (path === '') return 'the path is empty'
  if (!path.isWellFormed()) return 'the path is not valid Unicode'
  if (path.includes('\0')) return 'the path holds a NUL character'
  if (path.startsWith('/')) return "the path is absolute; give it relative to the store's root"
  if (/(^|\/)\.{0,2}(\/|$)/.test(path))
    return 'the path has an empty, "." or ".." segment; it would leave the store or name one file twice'
  return undefined
}

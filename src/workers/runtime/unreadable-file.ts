import { errorMessage } from '../../async/errors.ts'

/** Returns why the file at an address cannot be read, as the end of a sentence that begins with the address. */
export const whyUnreadable = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? `cannot be read: ${errorMessage(error)}`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there; check the path, and whether its disk is mounted',
  ENOTDIR: 'is not there; check the path',
  EISDIR: 'is a folder; name the file itself',
  EACCES: 'may not be read by this user; give it the right to',
  EPERM: 'may not be read by this user; give it the right to',
  ERR_INVALID_FILE_URL_HOST: 'is on another host; mount it, and name its path here',
  ERR_INVALID_FILE_URL_PATH: 'is no path; check the address',
}

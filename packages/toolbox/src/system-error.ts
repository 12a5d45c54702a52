/** True for an error of the operating system; if codes are given, for one with any of them. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  'syscall' in error &&
  (codes.length === 0 || codes.includes(String(error.code)))

/** What the operating system said no to; where codes are given, with one of them. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  'syscall' in error &&
  (codes.length === 0 || codes.includes(String(error.code)))

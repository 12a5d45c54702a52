import { createHash } from 'node:crypto'

/** What names a script or a style that stands in a page itself, for its Content-Security-Policy. */
export const digest = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

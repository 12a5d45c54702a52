import { createHash } from 'node:crypto'

/** What names a script or a style that stands in a page itself, for its Content-Security-Policy. */
export const digest = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Of HTML that names no policy of its own, as answers to questions: it has styles in it, runs nothing and loads nothing. */
export const htmlPolicy = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}

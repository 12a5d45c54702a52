import { createHash } from 'node:crypto'

/** Returns the hash source of an inline script or style, for the page's Content-Security-Policy. */
export const digest = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * For HTML without a policy of its own, such as answers to questions: it has inline styles, runs nothing and loads
 * nothing.
 */
export const htmlPolicy = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}

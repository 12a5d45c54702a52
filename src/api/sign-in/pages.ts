import { type Html, html } from '../../domain/kernel/html.ts'
import { digest } from '../http/content-policy.ts'

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem }
  :root { color-scheme: light dark }
`

/** The pages load nothing and run nothing. */
export const signInPolicy = {
  'content-security-policy': `default-src 'none'; style-src ${digest(style)}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

const page = (head: Html | undefined, title: string, ...body: readonly Html[]): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} · Fonds</title>
<style>${{ markup: style }}</style>
<h1>${title}</h1>
${body}
</html>
`.markup

/**
 * Leads on to a path of ours. A redirect would still count as coming from the provider's site, and a `Strict` cookie would
 * not come along; a page of ours that leads on does not.
 */
export const leadsOn = (to: string): string =>
  page(
    html`<meta http-equiv="refresh" content="0; url=${to}">`,
    'You are signed in',
    html`<p><a href="${to}">Go on</a></p>`,
  )

/** `again`: a way to try once more makes sense. */
export const notSignedIn = (sentence: string, again: boolean, to = '/'): string =>
  page(
    undefined,
    'You are not signed in',
    html`<p>${sentence}</p>`,
    again
      ? html`<p><a href="/sign-in?to=${encodeURIComponent(to)}">Sign in again</a></p>`
      : html`<p><a href="/enter">Back</a></p>`,
  )

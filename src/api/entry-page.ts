import { html } from '../domain/kernel/html.ts'
import { digest } from './http/content-policy.ts'

/*
 * A browser does not send the token by itself: this page sends it once, for a cookie. A link may hold a ticket behind
 * `#`, which browsers never send.
 */

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem }
  input { font: inherit; width: 20rem }
  :root { color-scheme: light dark }
`

const script = `
const form = document.querySelector('form')
const told = document.querySelector('output')
const enter = async (secret) => {
  const answer = await fetch('/session', { method: 'POST', headers: { authorization: 'Bearer ' + secret } })
  if (!answer.ok) told.textContent = (await answer.json()).detail
  else if (location.pathname === '/enter') location.replace(wanted())
  else location.reload()
}
// Of this server alone: a link that leads here must not lead on to another site.
const wanted = () => {
  const to = new URL(new URLSearchParams(location.search).get('to') ?? '/', location.origin)
  const path = to.pathname + to.search + to.hash
  // A path that begins with // is an address of another site.
  return to.origin === location.origin && !path.startsWith('//') ? path : '/'
}
const trying = (secret) => enter(secret).catch((error) => { told.textContent = String(error) })
form.addEventListener('submit', (event) => { event.preventDefault(); trying(form.token.value) })
const ticket = location.hash.slice(1)
if (location.pathname === '/enter' && ticket) {
  history.replaceState(null, '', '/enter')
  trying(ticket)
}
`

/** The page loads and runs nothing from elsewhere. */
export const entryPolicy = {
  'content-security-policy': `default-src 'none'; style-src ${digest(style)}; connect-src 'self'; script-src ${digest(script)}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
}

export interface EntryWays {
  /** A token is set. */
  readonly hasToken: boolean
  /** Name of the host of the provider; absent: none is set. */
  readonly provider?: string | undefined
  /** A proxy names who signed in. */
  readonly hasProxy: boolean
}

/** `to`: a path of this server, where somebody goes who signs in. */
export const entryPage = ({ hasToken, provider, hasProxy }: EntryWays, to: string): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fonds</title>
<style>${{ markup: style }}</style>
<h1>Fonds</h1>
${provider === undefined ? undefined : html`<p><a href="/sign-in?to=${encodeURIComponent(to)}">Sign in at ${provider}</a></p>`}
${hasProxy ? html`<p>People sign in at the proxy in front of Fonds: open its address, and not this one.</p>` : undefined}
${hasToken ? tokenForm : undefined}
</html>
`.markup

const tokenForm = html`<form>
<p><label>The token (<code>FONDS_TOKEN</code>)<br><input type="password" name="token" autocomplete="current-password" required></label>
<button>Enter</button></p>
<output></output>
</form>
<script>${{ markup: script }}</script>`

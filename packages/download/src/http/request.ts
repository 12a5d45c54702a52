import { PermanentFailure, TransientFailure } from '../failures.ts'
import { mayAsk, mayBeInner } from '../hosts.ts'
import type { HttpClient, HttpRequest, HttpResponse, RequestOptions } from '../http-client.ts'
import { hasLogin, loginRefused } from '../login.ts'

/** The hosts that requests may go to, and the texts of failures for other hosts. */
export interface AllowedHosts {
  /** As `parseHosts` returns them. Undefined: all. */
  readonly hosts: readonly string[] | undefined
  /** The addresses come from a stranger: without a list they may lead to public addresses only. */
  readonly isForeign?: boolean
  /** Noun for the content that is fetched, in the plural: `media`. */
  readonly content: string
  /** The setting that allows a host. */
  readonly setting: string
}

const maxRedirects = 5

/**
 * Requests allowed hosts only, also after redirects. The body comes as it is sent, whatever coding the server names.
 * Throws `TransientFailure` and `PermanentFailure`.
 */
export const request = async (
  client: HttpClient,
  uri: string,
  allowed: AllowedHosts,
  headers: Readonly<Record<string, string>>,
  asking: RequestOptions,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<HttpResponse> => {
  failUnlessAllowed(uri, allowed)
  let address = uri
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    // A download of compressed bytes could not be resumed.
    const plain = { ...headers, 'accept-encoding': 'identity' }
    const job = { address, headers: plain, method, asSent: true }
    const answer = await askAllowed(client, job, allowed, asking)
    if (![301, 302, 303, 307, 308].includes(answer.status)) return answer
    await answer[Symbol.asyncDispose]()
    address = next(address, answer.headers.get('location'))
    failUnlessAllowed(address, allowed, `redirects to ${new URL(address).hostname}, which`)
  }
  throw new TransientFailure(`redirects more than ${maxRedirects} times`, { advice: 'check the address' })
}

const next = (address: string, location: string | null): string => {
  if (location === null || !URL.canParse(location, address))
    throw new TransientFailure('redirects without saying where to', { advice: 'check the address' })
  const { protocol, href } = new URL(location, address)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new PermanentFailure(`redirects to ${protocol} which is not http or https; check the address`)
  if (hasLogin(href)) throw new PermanentFailure('redirects to an address with a password; check the address')
  return href
}

/**
 * Makes one request to an allowed host. Its name may lead to an inner address only if the list has the name
 * itself. Throws as `request` does.
 */
export const askAllowed = async (
  client: Pick<HttpClient, 'ask'>,
  job: HttpRequest,
  allowed: AllowedHosts,
  asking: RequestOptions,
): Promise<HttpResponse> => {
  const { address } = job
  failUnlessAllowed(address, allowed)
  const publicOnly = !mayBeInner(allowed.hosts ?? (allowed.isForeign ? [] : undefined), address)
  try {
    return await client.ask({ ...job, publicOnly }, asking)
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error
    const { hostname } = new URL(address)
    throw new PermanentFailure(
      `${error.message}; add ${hostname} itself to ${allowed.setting}, or offer it elsewhere`,
    )
  }
}

export const failUnlessAllowed = (
  address: string,
  { hosts, content, setting }: AllowedHosts,
  host = 'is on a host that',
): void => {
  if (hasLogin(address)) throw new PermanentFailure(loginRefused)
  if (mayAsk(hosts, address)) return
  throw new PermanentFailure(
    `${host} ${content} may not be fetched from; allow it with ${setting}, or offer it elsewhere`,
  )
}

import type { Config } from '#src/app/config/settings.ts'
import { startServer } from '../server.ts'
import { client, startProvider, walk } from './provider.ts'

export const publicUrl = 'http://fonds.example'
export const host = 'fonds.example'

type Started = Parameters<typeof startServer>[0]

/** A server whose people sign in at a provider, and a browser that walks there and back. */
export const startWithProvider = async (settings: Partial<Config> = {}, more: Started = {}) => {
  const provider = await startProvider({ publicUrl })
  const server = await startServer({
    ...more,
    settings: {
      publicUrl,
      token: 'correct horse battery',
      oidcIssuer: provider.issuer,
      oidcClientId: client.id,
      oidcClientSecret: client.secret,
      signInOperate: 'archivists',
      signInAdminister: 'admins',
      signInRead: 'staff',
      ...settings,
    },
  })
  const open = (url: string, cookie = '') => server.request({ url, headers: { host, cookie } })

  /** To the provider: the address there, and the cookie that the browser keeps meanwhile. */
  const begin = async (to = '/') => {
    const { status, headers } = await open(`/sign-in?to=${encodeURIComponent(to)}`)
    if (status !== 302) throw new Error(`it leads nowhere: ${status}`)
    return { address: String(headers.location), cookie: setCookies(headers)[0]!.split(';')[0]! }
  }
  const comeBack = async (address: string, cookie: string) => {
    const answer = await open(address.slice(publicUrl.length), cookie)
    const session = setCookies(answer.headers).find((set) => /^(__Host-)?fonds-signed-in=./.test(set))
    return { ...answer, set: session, session: session?.split(';')[0] ?? '' }
  }
  /** All of it. */
  const signIn = async (to = '/') => {
    const { address, cookie } = await begin(to)
    return comeBack(await walk(address, publicUrl), cookie)
  }
  const asks = (cookie: string) => ({ host, cookie, origin: publicUrl })
  return { ...server, provider, open, begin, comeBack, signIn, asks }
}

export const setCookies = (headers: Readonly<Record<string, unknown>>): readonly string[] =>
  [headers['set-cookie'] ?? []].flat().map(String)

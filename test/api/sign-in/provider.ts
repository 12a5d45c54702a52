import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type JWK } from 'oidc-provider'
import { onTestFinished } from 'vitest'

/* A real OpenID provider, in this process. Whoever comes to it is signed in at once, as the account that is set. */

export interface Account {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups?: readonly string[]
}

export const client = { id: 'fonds', secret: 'a secret that the provider made' }

export const ada: Account = {
  sub: 'a7',
  name: 'Ada Example',
  email: 'ada@archive.example',
  email_verified: true,
  groups: ['archivists'],
}

/** It warns of keys and stores of its own, which tests may have. */
const signingKey = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  ...{ use: 'sig', kid: 'tests', alg: 'RS256' },
} as JWK

interface Options {
  readonly publicUrl: string
  readonly configuration?: Configuration
  /** Whoever comes presses a button first, as where people enter a password: a page of the provider leads on. */
  readonly hasButton?: boolean
}

export const startProvider = async ({ publicUrl, configuration = {}, hasButton = false }: Options) => {
  let account: Account | undefined = ada
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/sign-in/return`],
        post_logout_redirect_uris: [`${publicUrl}/enter`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...(account ?? {}), sub }) as never }),
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId ?? '',
        accountId: context.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    cookies: { keys: ['for tests alone'] },
    jwks: { keys: [signingKey] },
    ...configuration,
  })
  const callback = provider.callback()
  const answer = async (...[request, response]: Parameters<typeof callback>) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    if (hasButton && request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      response.end(
        '<!doctype html><title>Provider</title><form method="post"><button>Let me in</button></form>',
      )
      return
    }
    await provider.interactionFinished(
      request,
      response,
      account
        ? { login: { accountId: account.sub } }
        : { error: 'access_denied', error_description: '<b>no</b>' },
    )
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(stop)
  return {
    issuer,
    stop,
    /** Undefined: the provider lets nobody in. */
    signInAs: (next: Account | undefined) => {
      account = next
    },
  }
}

/** Follows redirects as a browser does, with its cookies, until one leads to `end`. */
export const walk = async (from: string, end: string): Promise<string> => {
  const cookies = new Map<string, string>()
  let address = from
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { headers, status } = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const set of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = headers.get('location')
    if (location === null) throw new Error(`${address} answers ${status}, and leads nowhere`)
    address = new URL(location, address).href
    if (address.startsWith(end)) return address
  }
  throw new Error('it leads around in a circle')
}

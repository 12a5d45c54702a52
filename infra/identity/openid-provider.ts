import * as TE from 'fp-ts/lib/TaskEither.js'
import * as client from 'openid-client'
import type { IdentityProvider, ProviderFailure } from '../../src/ports/identity-provider.ts'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: string
}

/** Clocks of two servers may differ by so much. */
const toleranceSeconds = 30
const timeoutSeconds = 10
/** How long the provider's own description is used: it may move its addresses. */
const discoveredMillis = 60 * 60 * 1000

/** Asks the provider for its description at first use; while it does not answer, each use asks again. */
export const createOpenIdProvider = (settings: OpenIdSettings): IdentityProvider => {
  const { issuer, clientId, scopes } = settings
  let discovered: { readonly at: number; readonly configuration: Promise<client.Configuration> } | undefined
  const configuration = (): Promise<client.Configuration> => {
    if (discovered && performance.now() - discovered.at < discoveredMillis) return discovered.configuration
    const asked = { at: performance.now(), configuration: discover(settings) }
    discovered = asked
    asked.configuration.catch(() => {
      if (discovered === asked) discovered = undefined
    })
    return asked.configuration
  }

  return {
    issuer,
    begin: (back) =>
      attempt(issuer, async () => {
        const found = await configuration()
        const secrets = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const { href } = client.buildAuthorizationUrl(found, {
          redirect_uri: back,
          scope: scopes,
          response_type: 'code',
          code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          state: secrets.state,
          nonce: secrets.nonce,
        })
        return { address: href, secrets }
      }),

    finish: (answer, { state, nonce, verifier }) =>
      attempt(issuer, async () => {
        const found = await configuration()
        const tokens = await client.authorizationCodeGrant(found, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('its answer has no ID token')
        // Some providers give groups and names only there.
        const more = found.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(found, tokens.access_token, claims.sub)
          : {}
        return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
      }),

    leave: (back) =>
      attempt(issuer, async () => {
        const found = await configuration()
        if (!found.serverMetadata().end_session_endpoint) return undefined
        return client.buildEndSessionUrl(found, { client_id: clientId, post_logout_redirect_uri: back }).href
      }),
  }
}

const discover = ({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> =>
  client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: toleranceSeconds },
    (server, ...request) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const authenticate = methods.includes('client_secret_basic')
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret)
      authenticate(server, ...request)
    },
    {
      timeout: timeoutSeconds,
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
      ],
    },
  )

const attempt = <A>(issuer: string, work: () => Promise<A>): TE.TaskEither<ProviderFailure, A> =>
  TE.tryCatch(work, (error) => failureOf(issuer, error))

/** Messages of the client hold no secrets; causes do, and are left out. */
const failureOf = (issuer: string, error: unknown): ProviderFailure => {
  if (error instanceof client.AuthorizationResponseError)
    return { kind: 'Refused', code: error.error.replace(/[^\w-]/g, '').slice(0, 60) }
  if (error instanceof client.ResponseBodyError && error.error !== 'invalid_grant')
    return { kind: 'Unavailable', reason: `${issuer} refuses Fonds itself: ${error.error.slice(0, 60)}` }
  if (isAway(error)) return { kind: 'Unavailable', reason: `${issuer} does not answer (${codeOf(error)})` }
  return { kind: 'Invalid', reason: `${codeOf(error)}: ${(error as Error).message}` }
}

const codeOf = (error: unknown): string => {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: string }
  const found = [code, cause?.code].find((one) => typeof one === 'string')
  return String(found ?? name ?? 'error')
}

const awayCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/** A `TypeError` is that of `fetch`, where nobody answered. */
const isAway = (error: unknown): boolean =>
  awayCodes.has(codeOf(error)) ||
  (error instanceof TypeError && error.message.includes('fetch')) ||
  (error as Error)?.name === 'TimeoutError'

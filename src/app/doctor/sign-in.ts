import { isLeft } from 'fp-ts/lib/Either.js'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import type { System } from '../system.ts'

/** Lines about sign-in; none where nobody can sign in. Asks the provider for its description. */
export const signIn = async (system: System): Promise<readonly Finding[]> => {
  const { config, identityProvider } = system
  const hasProxy = config.proxySecret !== undefined || config.proxyCertFile !== undefined
  if (!identityProvider && !hasProxy) return []
  return [
    ...(identityProvider ? [await provider(system)] : []),
    ...(hasProxy ? [proxy(config)] : []),
    ...groups(config),
  ]
}

const provider = async ({ config: { publicUrl }, identityProvider }: System): Promise<Finding> => {
  if (publicUrl === undefined)
    return fail(
      'sign-in',
      'nobody can sign in: the address of the page is not known, which the provider leads back to',
      'set FONDS_PUBLIC_URL',
    )
  const back = new URL('/sign-in/return', publicUrl).href
  const begun = await identityProvider?.begin(back)()
  if (begun && isLeft(begun))
    return fail(
      'sign-in',
      `nobody can sign in now: ${begun.left.kind === 'Refused' ? begun.left.code : begun.left.reason}`,
      'FONDS_OIDC_ISSUER is the address before /.well-known/openid-configuration; it must answer from here',
    )
  const says = `people sign in at ${identityProvider?.issuer}, which leads back to ${back}`
  return publicUrl.startsWith('https:')
    ? ok('sign-in', says)
    : warn(
        'sign-in',
        `${says}, without TLS: sessions can be read on the way`,
        'put a proxy with TLS in front',
      )
}

const proxy = ({ host, proxySecret, proxyCertFile, proxyHeaders }: System['config']): Finding => {
  const says = `a proxy names who signed in (${proxyHeaders}), and proves itself by ${proxyCertFile === undefined ? 'a secret' : 'a certificate'}`
  return proxySecret !== undefined && proxyCertFile === undefined && !isLocal(host)
    ? warn(
        'proxy sign-in',
        `${says}, which passes in the clear to ${host}`,
        'listen on 127.0.0.1, beside the proxy, or set FONDS_PROXY_CERT_FILE instead',
      )
    : ok('proxy sign-in', says)
}

const isLocal = (host: string): boolean => /^(localhost|127\..*|::1)$/.test(host)

const groups = ({ signInRead, signInOperate, signInAdminister }: System['config']): readonly Finding[] =>
  [signInRead, signInOperate, signInAdminister].every((given) => given === undefined)
    ? [
        warn(
          'permissions',
          'whoever signs in may do nothing: no group has a permission',
          'FONDS_SIGN_IN_READ, FONDS_SIGN_IN_OPERATE and FONDS_SIGN_IN_ADMINISTER name the groups',
        ),
      ]
    : []

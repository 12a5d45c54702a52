import { isLeft } from 'fp-ts/lib/Either.js'
import { certificates } from '../../app/config/pem-files.ts'
import type { System } from '../../app/system.ts'
import { listed } from '../../domain/kernel/identity.ts'
import type { Granting } from '../../domain/kernel/permission.ts'
import { parseProxyHeaders } from '../../domain/kernel/proxy-headers.ts'
import { HOUR } from '../../domain/kernel/time.ts'
import type { IdentityProvider } from '../../ports/identity-provider.ts'
import type { Person } from '../../ports/people.ts'
import { proxySignIn } from './proxy.ts'
import { type SignedIn, signedIn } from './signed-in.ts'
import { type UnderWay, underWay } from './under-way.ts'

/** The ways to sign in that are configured. */
export interface SignIn {
  readonly provider?: ProviderSignIn
  readonly proxy?: ReturnType<typeof proxySignIn>
  /** Where a browser goes to sign out at the proxy. */
  readonly leaveProxy?: string
}

export interface ProviderSignIn {
  readonly provider: IdentityProvider
  readonly sessions: SignedIn
  readonly underWay: UnderWay
  readonly granting: Granting
  readonly groupsClaim: string
}

/** Undefined: nobody can sign in. */
export const openSignIn = (system: System): SignIn | undefined => {
  const { config } = system
  const { proxySecret, proxyCertFile } = config
  const headers = parseProxyHeaders(config.proxyHeaders)
  const granting = grantingOf(config)
  const provider = providerOf(system, granting)
  const hasProxy = (proxySecret !== undefined || proxyCertFile !== undefined) && headers !== undefined
  if (!provider && !hasProxy) return undefined
  return {
    ...(provider && { provider }),
    ...(hasProxy && {
      proxy: proxySignIn({
        ...{ headers, granting, secret: proxySecret, onPerson: noting(system) },
        certificates: certificates(config, 'proxyCertFile'),
      }),
      ...(headers.leave !== undefined && { leaveProxy: headers.leave }),
    }),
  }
}

const providerOf = (system: System, granting: Granting): ProviderSignIn | undefined => {
  const { config, identityProvider: provider, spentIds: spent, clock } = system
  const { oidcClientId, oidcClientSecret: secret, oidcGroupsClaim: groupsClaim, signInHours: hours } = config
  if (!provider || !spent || secret === undefined) return undefined
  const isSecure = () => config.publicUrl?.startsWith('https:') ?? false
  const rules = JSON.stringify([provider.issuer, oidcClientId, groupsClaim, granting])
  return {
    ...{ provider, granting, groupsClaim },
    sessions: signedIn({ secret, rules, isSecure, hours, spent, clock }),
    underWay: underWay({ secret, isSecure, spent, clock }),
  }
}

export const grantingOf = ({ signInRead, signInOperate, signInAdminister }: System['config']): Granting => ({
  ...(signInRead !== undefined && { read: listed(signInRead) }),
  ...(signInOperate !== undefined && { operate: listed(signInOperate) }),
  ...(signInAdminister !== undefined && { administer: listed(signInAdminister) }),
})

/** Keeps name and mail address of a person, once an hour at most: a proxy names somebody with each request. */
const noting = (system: System): ((person: Person) => void) => {
  const noted = new Map<string, { readonly text: string; readonly at: number }>()
  return (person) => {
    const [text, at] = [JSON.stringify(person), system.clock.monotonic()]
    const last = noted.get(person.reference)
    if (last?.text === text && at - last.at < HOUR) return
    if (noted.size >= maxNoted) noted.clear()
    noted.set(person.reference, { text, at })
    void notePerson(system, person)
  }
}

const maxNoted = 10_000

/** A name that cannot be kept keeps nobody from working: the reference is what counts. */
export const notePerson = async ({ people, clock, log }: System, person: Person): Promise<void> => {
  const noted = await people.note({ ...person, lastSeen: clock.now() })()
  if (isLeft(noted)) log.warn({ reason: noted.left.reason }, 'the name of who signed in cannot be kept')
}

import * as t from 'io-ts'
import { PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { listed } from '../../domain/kernel/identity.ts'
import { parseProxyHeaders, proxyHeadersForm } from '../../domain/kernel/proxy-headers.ts'
import type { Settings } from '../../domain/kernel/setting.ts'
import { Token } from './token.ts'

/* Sign-in: by an OpenID provider, or by a proxy. A node's own, as the token is: secrets and rights are in no log. */

const isLocal = (url: string): boolean => /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/.test(url)
const Issuer = t.refinement(
  t.string,
  (s) => /^https?:\/\/[^\s@?#]+$/.test(s) && URL.canParse(s) && (s.startsWith('https:') || isLocal(s)),
  "address of an OpenID provider (https://login.archive.example, as in the provider's own documents, without ? and #)",
)
const Groups = t.refinement(
  Text,
  (s) => listed(s).length > 0,
  'groups with commas between (archivists,admins; with semicolons where names have commas; * for all who sign in)',
)
const Scopes = t.refinement(
  t.string,
  (s) => s.split(' ').includes('openid'),
  'scopes with spaces between, openid among them',
)
const ProxyHeaders = t.refinement(t.string, (s) => parseProxyHeaders(s) !== undefined, proxyHeadersForm)
const Hours = t.refinement(PositiveInteger, (n) => n <= 168, 'whole number of hours from 1 to 168')

export const signInSettings = {
  oidcIssuer: {
    codec: Issuer,
    login: true,
    value: 'address',
    description: 'OpenID provider that people sign in at (default: none); needs publicUrl',
  },
  oidcClientId: { codec: Text, description: 'name that the provider knows Fonds by' },
  oidcClientSecret: { codec: Token, secret: true, description: 'and the secret' },
  oidcScopes: {
    codec: Scopes,
    default: 'openid profile email',
    description: 'scopes that the provider is asked for',
  },
  oidcGroupsClaim: {
    codec: Text,
    default: 'groups',
    description: 'claim with the groups of who signs in: groups, roles, realm_access.roles, email',
  },
  signInRead: {
    codec: Groups,
    description: 'groups that may read, with commas between; *: all who sign in (default: nobody)',
  },
  signInOperate: {
    codec: Groups,
    description: 'groups that may do the daily work as well (default: nobody)',
  },
  signInAdminister: {
    codec: Groups,
    description: 'groups that may change how Fonds works as well (default: nobody)',
  },
  signInHours: {
    codec: Hours,
    default: 10,
    description: 'hours after which whoever signed in signs in again',
  },
  proxySecret: {
    codec: Token,
    secret: true,
    description:
      'secret by which a proxy proves itself, in the header Fonds-Proxy-Secret: who signed in there is believed (default: none)',
  },
  proxyCertFile: {
    codec: Text,
    description:
      'PEM file of the certificate by which a proxy proves itself; HTTP is then TLS, with tlsCertFile and tlsKeyFile',
  },
  proxyHeaders: {
    codec: ProxyHeaders,
    default: 'user=Remote-User name=Remote-Name mail=Remote-Email groups=Remote-Groups',
    value: 'names',
    description: 'headers in which that proxy names who signed in; leave= is where people sign out',
  },
} satisfies Settings

import { type GivenValues, together, withName } from '../../domain/kernel/setting.ts'

/** Returns contradictions between settings of a node, a sentence each. */
export const nodeContradictions = (given: GivenValues): readonly string[] => {
  const { idleMinSeconds, idleMaxSeconds, host, token, readToken, gateway, eventStore } = given
  return [
    ...(Number(idleMaxSeconds) < Number(idleMinSeconds)
      ? [
          withName(
            `idleMaxSeconds: ${idleMaxSeconds} is below idleMinSeconds, ${idleMinSeconds}; give it that at least`,
          ),
        ]
      : []),
    ...(typeof host === 'string' && !isLocal(host) && token === undefined && !hasSignIn(given)
      ? [
          `host: ${host} can be reached from elsewhere, so a token is needed (--token, FONDS_TOKEN), or sign-in`,
        ]
      : []),
    ...(readToken !== undefined && (token === undefined || token === readToken)
      ? [
          withName(
            'readToken: needs a token that may write, and is another than that: give --token, FONDS_TOKEN, too',
          ),
        ]
      : []),
    ...(gateway !== undefined && !String(eventStore).startsWith('sqlite:')
      ? [
          withName(
            "gateway: it opens the embedded log to others; theirs already speaks EventStoreDB's protocol",
          ),
        ]
      : []),
    ...together(given, ['kafkaSasl', 'kafkaUsername', 'kafkaPassword']),
    ...together(given, ['kafkaCertFile', 'kafkaKeyFile']),
    ...together(given, ['tlsCertFile', 'tlsKeyFile']),
    ...together(given, ['oidcIssuer', 'oidcClientId', 'oidcClientSecret']),
    ...(given.proxyCertFile !== undefined && given.tlsCertFile === undefined
      ? [
          withName(
            'proxyCertFile: a proxy shows its certificate over TLS only; set tlsCertFile and tlsKeyFile, too',
          ),
        ]
      : []),
    ...(gateway !== undefined && token === undefined && hasSignIn(given)
      ? [withName('gateway: nobody signs in there, so a token is needed (--token, FONDS_TOKEN)')]
      : []),
    ...(given.proxySecret !== undefined && [token, readToken].includes(given.proxySecret)
      ? [withName('proxySecret: is a token, too; give the proxy a secret of its own')]
      : []),
    ...withoutTls(given),
  ]
}

/** The same for settings of the archive: checked once those of the log are known, which may hold the missing one. */
export const systemContradictions = (given: GivenValues): readonly string[] => [
  ...together(given, ['mailServer', 'mailFrom']),
  ...together(given, ['mailUsername', 'mailPassword']),
  ...(given.reports !== undefined && given.mailServer === undefined
    ? [withName('reports: nothing can be mailed without mailServer and mailFrom; set them, too')]
    : []),
  ...(given.noticesMail !== undefined && given.mailServer === undefined
    ? [withName('noticesMail: nothing can be mailed without mailServer and mailFrom; set them, too')]
    : []),
]

type SignInValues = Partial<Record<'oidcIssuer' | 'proxySecret' | 'proxyCertFile', unknown>>

/** True if people can sign in, at a provider or at a proxy. */
export const hasSignIn = ({ oidcIssuer, proxySecret, proxyCertFile }: SignInValues): boolean =>
  [oidcIssuer, proxySecret, proxyCertFile].some((given) => given !== undefined)

/** Certificates imply TLS: without it, a password would be sent in the clear. */
const withoutTls = (given: GivenValues): readonly string[] =>
  given.kafkaTls === 'off'
    ? (['kafkaCaFile', 'kafkaCertFile'] as const)
        .filter((key) => given[key] !== undefined)
        .map((key) => withName(`${key}: is of use over TLS only; set kafkaTls to on`))
    : []

const isLocal = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

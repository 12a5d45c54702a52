import { nameOf } from './setting-names.ts'
import type { Config } from './settings.ts'

type Given = Readonly<Record<string, unknown>>

/** Adds to a sentence that begins with a setting's name how the setting is given. */
export const withName = (line: string): string =>
  `${line} (${nameOf(line.slice(0, line.indexOf(':')) as keyof Config)})`

/** Settings of a node that contradict each other, a sentence each. */
export const nodeContradictions = (given: Given): readonly string[] => {
  const { idleMinSeconds, idleMaxSeconds, host, token, readToken, gateway, eventStore } = given
  return [
    ...(Number(idleMaxSeconds) < Number(idleMinSeconds)
      ? [
          withName(
            `idleMaxSeconds: ${idleMaxSeconds} is below idleMinSeconds, ${idleMinSeconds}; give it that at least`,
          ),
        ]
      : []),
    ...(typeof host === 'string' && !isLocal(host) && token === undefined
      ? [`host: ${host} can be reached from elsewhere, so a token is needed (--token, FONDS_TOKEN)`]
      : []),
    ...(readToken !== undefined && (token === undefined || token === readToken)
      ? [
          withName(
            'readToken: stands beside a token that may do all, and is another: give --token, FONDS_TOKEN, too',
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
    ...withoutTls(given),
  ]
}

/** Of the archive's settings: looked for when those of the log are known, which may hold the missing one. */
export const archiveContradictions = (given: Given): readonly string[] => [
  ...together(given, ['mailServer', 'mailFrom']),
  ...together(given, ['mailUsername', 'mailPassword']),
  ...(given.noticesMail !== undefined && given.mailServer === undefined
    ? [withName('noticesMail: nothing can be mailed without mailServer and mailFrom; set them, too')]
    : []),
  ...together(given, ['ezidServer', 'ezidUsername', 'ezidPassword']),
]

/** Whoever names certificates means TLS: without it, a password would be sent in the clear. */
const withoutTls = (given: Given): readonly string[] =>
  given.kafkaTls === 'off'
    ? (['kafkaCaFile', 'kafkaCertFile'] as const)
        .filter((key) => given[key] !== undefined)
        .map((key) => withName(`${key}: is of use over TLS only; set kafkaTls to on`))
    : []

/** Settings that are given all together or not at all. */
const together = (given: Given, keys: readonly (keyof Config)[]): readonly string[] => {
  const missing = keys.filter((key) => given[key] === undefined)
  return missing.length === 0 || missing.length === keys.length
    ? []
    : missing.map((key) =>
        withName(`${key}: is missing beside ${keys.filter((one) => one !== key).join(' and ')}`),
      )
}

const isLocal = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

import { readFileSync } from 'node:fs'
import { InvalidSetting } from '../../async/errors.ts'
import { nameOf } from '../../domain/kernel/setting.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import type { Config } from './settings.ts'

type Setting =
  | 'kafkaCaFile'
  | 'kafkaCertFile'
  | 'kafkaKeyFile'
  | 'tlsCertFile'
  | 'tlsKeyFile'
  | 's3CaFile'
  | 'proxyCertFile'

/* Node's `crypto` and `tls` are loaded where a file is read: they take as long as a start of Node itself, and most homes have no such files. */

/** A file, and how an error names it. */
interface PemFile {
  readonly path: string
  /** Comes first: the setting, or the variable. */
  readonly subject: string
  readonly givenBy?: string
}

/**
 * Reads the certificates in the file that a setting names, as PEM text; undefined if it names none. Throws
 * `InvalidSetting`.
 */
export const certificates = (config: Config, setting: Setting): string | undefined =>
  certificatesOf(fileOf(config, setting))

/** The same for the file that a variable of other programs names. Throws `InvalidSetting`. */
export const certificatesIn = (path: string | undefined, variable: string): string | undefined =>
  certificatesOf(path ? { path, subject: variable } : undefined)

/** Contents of files whose certificates were read: a bundle holds hundreds, and is asked for at each opening. */
const readBefore = new Map<string, string>()

const certificatesOf = (file: PemFile | undefined): string | undefined => {
  if (file === undefined) return undefined
  const text = textOf(file)
  if (readBefore.get(file.path) === text) return text
  const all = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  if (!all) throw wrong(file, 'holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  attempt(file, 'holds a certificate that cannot be read', () => {
    const { X509Certificate } = process.getBuiltinModule('node:crypto')
    return all.map((one) => new X509Certificate(one))
  })
  readBefore.set(file.path, text)
  return text
}

/** Reads a certificate and its key; undefined if the settings name none. Throws `InvalidSetting`. */
export const identity = (
  config: Config,
  certSetting: Setting,
  keySetting: Setting,
): { readonly cert: string; readonly key: string } | undefined => {
  const [certFile, keyFile] = [fileOf(config, certSetting), fileOf(config, keySetting)]
  if (certFile === undefined || keyFile === undefined) return undefined
  const [cert, key] = [certificatesOf(certFile), textOf(keyFile)]
  if (cert === undefined) return undefined
  attempt(keyFile, 'holds no key in PEM form without a passphrase', () =>
    process.getBuiltinModule('node:crypto').createPrivateKey(key),
  )
  attempt(keyFile, `is not the key of the certificate in ${certFile.path}`, () =>
    process.getBuiltinModule('node:tls').createSecureContext({ cert, key }),
  )
  return { cert, key }
}

const fileOf = (config: Config, setting: Setting): PemFile | undefined => {
  const path = config[setting]
  return path === undefined ? undefined : { path, subject: setting, givenBy: nameOf(setting) }
}

const textOf = (file: PemFile): string => {
  try {
    return readFileSync(atHome(file.path), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw wrong(file, `cannot be read: ${(code && reasons[code]) ?? message}`, error)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

const attempt = (file: PemFile, description: string, work: () => unknown): void => {
  try {
    work()
  } catch (error) {
    throw wrong(file, `${description} (${(error as Error).message})`, error)
  }
}

const wrong = ({ path, subject, givenBy }: PemFile, description: string, cause?: unknown): InvalidSetting =>
  new InvalidSetting(`${subject}: ${path} ${description}${givenBy ? ` (${givenBy})` : ''}`, { cause })

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { InvalidSetting } from '../../async/errors.ts'
import { nameOf } from '../../domain/kernel/setting.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import type { Config } from './settings.ts'

type Setting = 'kafkaCaFile' | 'kafkaCertFile' | 'kafkaKeyFile' | 'tlsCertFile' | 'tlsKeyFile'

/**
 * Reads the certificates in the file that a setting names, as PEM text; undefined if it names none. Throws
 * `InvalidSetting`.
 */
export const certificates = (config: Config, setting: Setting): string | undefined => {
  const text = textOf(config, setting)
  if (text !== undefined) {
    const all = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
    if (!all) throw wrong(config, setting, 'holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
    attempt(config, setting, 'holds a certificate that cannot be read', () =>
      all.map((one) => new X509Certificate(one)),
    )
  }
  return text
}

/** Reads a certificate and its key; undefined if the settings name none. Throws `InvalidSetting`. */
export const identity = (
  config: Config,
  certSetting: Setting,
  keySetting: Setting,
): { readonly cert: string; readonly key: string } | undefined => {
  const [cert, key] = [certificates(config, certSetting), textOf(config, keySetting)]
  if (cert === undefined || key === undefined) return undefined
  attempt(config, keySetting, 'holds no key in PEM form without a passphrase', () => createPrivateKey(key))
  attempt(config, keySetting, `is not the key of the certificate in ${config[certSetting]}`, () =>
    createSecureContext({ cert, key }),
  )
  return { cert, key }
}

const textOf = (config: Config, setting: Setting): string | undefined => {
  const file = config[setting]
  if (file === undefined) return undefined
  try {
    return readFileSync(atHome(file), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw wrong(config, setting, `cannot be read: ${(code && reasons[code]) ?? message}`, error)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

const attempt = (config: Config, setting: Setting, description: string, work: () => unknown): void => {
  try {
    work()
  } catch (error) {
    throw wrong(config, setting, `${description} (${(error as Error).message})`, error)
  }
}

const wrong = (config: Config, setting: Setting, description: string, cause?: unknown): InvalidSetting =>
  new InvalidSetting(`${setting}: ${config[setting]} ${description} (${nameOf(setting)})`, { cause })

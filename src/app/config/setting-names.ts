import { settings } from './setting-words.ts'
import type { Config } from './settings.ts'

export const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** How a setting is given: `--kafka-tls, FONDS_KAFKA_TLS`. */
export const nameOf = (key: keyof Config): string => `--${dashed(key)}, ${settings[key].env}`

/** The setting that a person means: `ingestStorage`, `ingest-storage`, `--ingest-storage`, `FONDS_INGEST_STORAGE`. */
export const keyNamed = (name: string): keyof Config | undefined =>
  (Object.keys(settings) as (keyof Config)[]).find(
    (key) => key === name || dashed(key) === name.replace(/^--/, '') || settings[key].env === name,
  )

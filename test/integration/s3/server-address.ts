import { afterAll, beforeAll, vi } from 'vitest'
import type { S3Keys } from '#infra/local/s3/server.ts'

/** Where an S3 server of the tests is, and its keys. */
export interface S3Place {
  readonly endpoint: string
  readonly keys: S3Keys
}

/** In one text, as `server('s3')` gives it: `http://<key>:<secret>@host:port`. */
export const addressOf = (endpoint: string, { accessKeyId, secretAccessKey }: S3Keys): string => {
  const url = new URL(endpoint)
  url.username = encodeURIComponent(accessKeyId)
  url.password = encodeURIComponent(secretAccessKey)
  return url.href.replace(/\/$/, '')
}

export const placeOf = (address: string): S3Place => {
  const { origin, username, password } = new URL(address)
  return {
    endpoint: origin,
    keys: {
      accessKeyId: decodeURIComponent(username) || 'any',
      secretAccessKey: decodeURIComponent(password) || 'any',
    },
  }
}

/** Puts keys where AWS's own tools look first, for the tests of a file. */
export const keysInEnvironment = ({ accessKeyId, secretAccessKey }: S3Keys): void => {
  beforeAll(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey)
    vi.stubEnv('AWS_CA_BUNDLE', '')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
  })
}

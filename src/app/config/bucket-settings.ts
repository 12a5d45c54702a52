import { InvalidSetting } from '../../async/errors.ts'
import { parseMetadataDigests } from '../../workflows/system/bucket-settings.ts'
import { certificates, certificatesIn } from './pem-files.ts'
import type { Config } from './settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns how buckets are reached, as `infra/s3` takes it: a value that threads can be given. It holds no secret. The client itself
 * knows the variables of AWS's tools for what is missing here. Throws `InvalidSetting` where certificates cannot be read.
 */
export const bucketSettingsOf = (config: Config, env: Env = process.env) => {
  const { s3Endpoint, s3Region, s3PathStyle, s3Proxy, s3Checksums, s3Connections, stallSeconds } = config
  const ca = certificates(config, 's3CaFile') ?? certificatesIn(env.AWS_CA_BUNDLE, 'AWS_CA_BUNDLE')
  return {
    ...(s3Endpoint !== undefined && { endpoint: s3Endpoint }),
    ...(s3Region !== undefined && { region: s3Region }),
    ...(s3PathStyle !== undefined && { pathStyle: s3PathStyle === 'on' }),
    ...(s3Proxy !== undefined && { proxy: s3Proxy }),
    ...(ca !== undefined && { ca }),
    checksums: s3Checksums,
    connections: s3Connections,
    timeoutMillis: stallSeconds * 1000,
  }
}

/** Settings of the content at any root: buckets, and which of their words count. Throws `InvalidSetting`. */
export const contentSettingsOf = (config: Config, env: Env = process.env) => ({
  s3: bucketSettingsOf(config, env),
  claims: {
    etags: config.s3Etags,
    ...(config.s3MetadataDigests !== undefined && {
      metadataDigests: parseMetadataDigests(config.s3MetadataDigests) ?? [],
    }),
  },
})

/** The same for threads, which open what their process opened before: it threw, and only folders are left to read. */
export const contentSettingsOfThreads = (config: Config, env: Env = process.env) => {
  try {
    return contentSettingsOf(config, env)
  } catch (error) {
    if (error instanceof InvalidSetting) return undefined
    throw error
  }
}

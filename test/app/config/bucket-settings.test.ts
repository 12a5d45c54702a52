import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import {
  bucketSettingsOf,
  contentSettingsOf,
  contentSettingsOfThreads,
} from '#src/app/config/bucket-settings.ts'
import { readConfig } from '#src/app/config/config.ts'
import { InvalidSetting } from '#src/async/errors.ts'
import { serverTls, tlsFiles } from '../../fixtures/tls/files.ts'

const read = (env: NodeJS.ProcessEnv) => {
  const config = readConfig({}, env)
  return isLeft(config) ? expect.fail(config.left.join('; ')) : config.right
}
const faults = (env: NodeJS.ProcessEnv) => {
  const config = readConfig({}, env)
  return isLeft(config) ? config.left : expect.fail('there is nothing wrong')
}
const settingsOf = (env: NodeJS.ProcessEnv) => bucketSettingsOf(read(env), env)

describe('how buckets are reached', () => {
  it('without a setting is left to the variables that the client knows', () => {
    expect(settingsOf({})).toEqual({ checksums: 'supported', connections: 32, timeoutMillis: 60_000 })
  })

  it('by the settings, which threads can be given', () => {
    const given = settingsOf({
      FONDS_S3_ENDPOINT: 'https://s3.example:9000',
      FONDS_S3_REGION: 'eu-central-1',
      FONDS_S3_PATH_STYLE: 'off',
      FONDS_S3_CA_FILE: tlsFiles.authority,
      FONDS_S3_PROXY: 'http://proxy.example:3128',
      FONDS_S3_CHECKSUMS: 'md5',
      FONDS_S3_CONNECTIONS: '4',
      FONDS_STALL_SECONDS: '5',
    })
    expect(given).toEqual({
      endpoint: 'https://s3.example:9000',
      region: 'eu-central-1',
      pathStyle: false,
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
      proxy: 'http://proxy.example:3128',
      checksums: 'md5',
      connections: 4,
      timeoutMillis: 5000,
    })
    expect(structuredClone(given)).toEqual(given)
  })

  it("certificates of AWS's own tools count where there is no setting", () => {
    expect(settingsOf({ AWS_CA_BUNDLE: tlsFiles.server.cert }).ca).toBe(serverTls.cert)
    const both = settingsOf({ AWS_CA_BUNDLE: tlsFiles.server.cert, FONDS_S3_CA_FILE: tlsFiles.authority })
    expect(both.ca).not.toBe(serverTls.cert)
  })

  it.each([
    ['FONDS_S3_CA_FILE', /^s3CaFile: \/nowhere.pem cannot be read: .* \(--s3-ca-file, FONDS_S3_CA_FILE\)$/],
    ['AWS_CA_BUNDLE', /^AWS_CA_BUNDLE: \/nowhere.pem cannot be read: there is no such file$/],
  ])('certificates of %s that are not there are named', (variable, says) => {
    expect(() => settingsOf({ [variable]: '/nowhere.pem' })).toThrow(InvalidSetting)
    expect(() => settingsOf({ [variable]: '/nowhere.pem' })).toThrow(says)
  })

  it('no secret of the environment is among them', () => {
    const env = { AWS_ACCESS_KEY_ID: 'QZ', AWS_SECRET_ACCESS_KEY: 'QZ', AWS_SESSION_TOKEN: 'QZ' }
    expect(JSON.stringify(settingsOf(env))).not.toContain('QZ')
  })
})

describe('what a bucket reports of its objects', () => {
  const claimsOf = (env: NodeJS.ProcessEnv) => contentSettingsOf(read(env), env).claims

  it('counts as AWS has it, unless the settings say otherwise', () => {
    expect(claimsOf({})).toEqual({ etags: 'md5' })
    expect(
      claimsOf({
        FONDS_S3_ETAGS: 'opaque',
        FONDS_S3_METADATA_DIGESTS: 'MD5chksum=md5, content-checksum=sha-256',
      }),
    ).toEqual({
      etags: 'opaque',
      metadataDigests: [
        { name: 'md5chksum', algorithm: 'md5' },
        { name: 'content-checksum', algorithm: 'sha-256' },
      ],
    })
  })

  it.each(['md5chksum', 'md5chksum=rot13', 'a b=md5', 'a=md5,', 'a=md5=md5'])('%s is none', (digests) => {
    expect(faults({ FONDS_S3_METADATA_DIGESTS: digests })).toEqual([
      expect.stringMatching(/^s3MetadataDigests: wants names of metadata/),
    ])
  })

  it('threads do without settings that this process could not read, and read folders', () => {
    const env = { AWS_CA_BUNDLE: '/nowhere.pem' }
    expect(contentSettingsOfThreads(read(env), env)).toBeUndefined()
    expect(contentSettingsOfThreads(read({}), {})).toEqual(contentSettingsOf(read({}), {}))
  })
})

describe('an endpoint', () => {
  it.each(['https://s3.example', 'http://127.0.0.1:7070/', 'http://[::1]:9000'])('may be %s', (endpoint) => {
    expect(settingsOf({ FONDS_S3_ENDPOINT: endpoint })).toMatchObject({ endpoint })
  })

  it.each([
    's3.example',
    's3://bucket',
    'https://s3.example/bucket',
    'https://s3.example?x',
    'ftp://s3.example',
    'https://s3.example:99999',
  ])('may not be %s', (endpoint) => {
    expect(faults({ FONDS_S3_ENDPOINT: endpoint })).toEqual([
      expect.stringMatching(
        /^s3Endpoint: wants address of a server .* \(--s3-endpoint, FONDS_S3_ENDPOINT\)$/,
      ),
    ])
  })

  it.each(['s3Endpoint', 's3Proxy'])('with a name and a password is refused, and not shown: %s', (key) => {
    const variable = key === 's3Proxy' ? 'FONDS_S3_PROXY' : 'FONDS_S3_ENDPOINT'
    for (const address of [
      'https://me:QZ@s3.example',
      'https://QZ@s3.example',
      'https://me:Q/Z@s3.example',
    ]) {
      const [line, ...others] = faults({ [variable]: address })
      expect(line).toContain(`${key}: wants`)
      expect(line).toMatch(/AWS_SECRET_ACCESS_KEY|HTTPS_PROXY/)
      expect(line).not.toMatch(/QZ|Q\/Z/)
      expect(others).toEqual([])
    }
  })
})

it.each([
  ['FONDS_S3_REGION', 'eu central'],
  ['FONDS_S3_PATH_STYLE', 'yes'],
  ['FONDS_S3_CHECKSUMS', 'all'],
  ['FONDS_S3_CONNECTIONS', '0'],
  ['FONDS_S3_CONNECTIONS', '100000'],
])('%s of %s is refused, and named', (variable, value) => {
  expect(faults({ [variable]: value })).toEqual([expect.stringContaining(`${variable})`)])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/app/config/config.ts'
import { certificates, identity } from '../../../src/app/config/pem-files.ts'
import type { Config } from '../../../src/app/config/settings.ts'
import { InvalidSetting } from '../../../src/async/errors.ts'
import { serverTls, tlsFiles } from '../../fixtures/tls/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'fonds-pem-'))
afterAll(() => rmSync(folder, { recursive: true }))

const given = (settings: Partial<Config>): Config => {
  const config = readConfig({ kafkaTls: 'on', ...settings }, {})
  return isLeft(config) ? expect.fail(config.left.join('; ')) : config.right
}
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('files of certificates', () => {
  it('give their text, and nothing where none is named', () => {
    const { cert, key } = tlsFiles.server
    const config = given({ kafkaCaFile: tlsFiles.authority, tlsCertFile: cert, tlsKeyFile: key })
    expect(certificates(config, 'kafkaCaFile')).toContain('BEGIN CERTIFICATE')
    expect(identity(config, 'tlsCertFile', 'tlsKeyFile')).toEqual(serverTls)
    expect(certificates(given({}), 'kafkaCaFile')).toBeUndefined()
    expect(identity(given({}), 'tlsCertFile', 'tlsKeyFile')).toBeUndefined()
  })

  it('may hold several certificates, with words between', () => {
    const both = file('both.pem', `ours:\n${serverTls.cert}\ntheirs:\n${serverTls.cert}`)
    expect(certificates(given({ kafkaCaFile: both }), 'kafkaCaFile')).toContain('theirs')
  })

  const { cert, key } = tlsFiles.server
  it.each<[string, Partial<Config>, RegExp]>([
    [
      'one that is not there',
      { kafkaCaFile: '/nowhere.pem' },
      /nowhere.pem cannot be read: there is no such file/,
    ],
    ['a folder', { kafkaCaFile: folder }, /cannot be read: it is a folder/],
    ['one of something else', { kafkaCaFile: file('x', 'no') }, /holds no certificate in PEM form/],
    ['a key', { kafkaCaFile: key }, /holds no certificate in PEM form/],
    [
      'a broken certificate',
      { kafkaCaFile: file('broken', serverTls.cert.replace('MII', 'MIX')) },
      /holds a certificate that cannot be read/,
    ],
  ])('%s is refused, by the name of its setting', (_, settings, says) => {
    const read = () => certificates(given(settings), 'kafkaCaFile')
    expect(read).toThrow(InvalidSetting)
    expect(read).toThrow(says)
    expect(read).toThrow(/^kafkaCaFile: .*\(--kafka-ca-file, FONDS_KAFKA_CA_FILE\)$/)
  })

  it.each<[string, string, RegExp]>([
    ['no key', cert, /^tlsKeyFile: .*holds no key in PEM form/],
    [
      "another certificate's key",
      tlsFiles.client.key,
      /^tlsKeyFile: .*is not the key of the certificate in .*server.pem/,
    ],
  ])('%s is refused, by the name of its setting', (_, tlsKeyFile, says) => {
    const read = () => identity(given({ tlsCertFile: cert, tlsKeyFile }), 'tlsCertFile', 'tlsKeyFile')
    expect(read).toThrow(InvalidSetting)
    expect(read).toThrow(says)
  })
})

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ContentInfo, SignedData } from 'pkijs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkStamp, InvalidTimeStamp, stampIn, stampRequest } from '../../../infra/proof/time-stamp.ts'
import { createTimeStamper } from '../../../infra/proof/time-stamper.ts'
import { server } from '../servers.ts'

/* Time stamps of RFC 3161: OpenSSL's `ts` is the authority, and judges what we ask and keep. */

const judge = server('openssl')
const program = 'address' in judge ? judge.address : ''

let folder: string
const openssl = (...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const config = `
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[tsa]
extendedKeyUsage = critical, timeStamping
[web]
extendedKeyUsage = critical, serverAuth
[loose]
extendedKeyUsage = timeStamping
[tsa_config]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1
clock_precision_digits = 3
ess_cert_id_alg = sha256
`
beforeAll(() => {
  if ('absent' in judge) return
  folder = mkdtempSync(join(tmpdir(), 'fonds-tsa-'))
  writeFileSync(join(folder, 'config'), config)
  writeFileSync(join(folder, 'serial'), '01')
  for (const name of ['ca', 'other'])
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '3650',
      '-config',
      '/dev/null',
      '-subj',
      `/CN=Root ${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-addext',
      'basicConstraints=critical,CA:TRUE',
    )
  const keys = { tsa: ['rsa:2048'], loose: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], web: ['rsa:2048'] }
  for (const [name, key] of Object.entries(keys)) {
    openssl(
      'req',
      '-newkey',
      ...key,
      '-nodes',
      '-config',
      '/dev/null',
      '-subj',
      `/O=Archive/CN=Stamps ${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    )
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '3650',
      '-extfile',
      'config',
      '-extensions',
      name,
      '-out',
      `${name}.crt`,
    )
  }
})
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

const root = (name = 'ca') => readFileSync(join(folder, `${name}.crt`), 'utf8')
const checkpoint = Buffer.from('archive.example/log\n5\nUibAxTWqGpYpSgnMutcUEEfZIjj8hj9EQ1nmD5JVuw8=\n')

/** The authority's answer to a request. */
const answer = (request: Uint8Array, signer = 'tsa'): Uint8Array => {
  writeFileSync(join(folder, 'request.tsq'), request)
  openssl(
    'ts',
    '-reply',
    '-config',
    'config',
    '-section',
    'tsa_config',
    '-queryfile',
    'request.tsq',
    '-signer',
    `${signer}.crt`,
    '-inkey',
    `${signer}.key`,
    '-chain',
    'ca.crt',
    '-out',
    'answer.tsr',
  )
  return readFileSync(join(folder, 'answer.tsr'))
}

describe.skipIf('absent' in judge)('Q4: a time stamp', () => {
  it('is asked for as OpenSSL reads it, kept as OpenSSL checks it, and has the authority’s time', async () => {
    const request = await stampRequest(checkpoint)
    writeFileSync(join(folder, 'checkpoint'), checkpoint)
    const reply = answer(request.der)
    expect(openssl('ts', '-query', '-in', 'request.tsq', '-text')).toMatch(
      /Hash Algorithm: sha256[\s\S]*Certificate required: yes/,
    )
    const before = Date.now()
    const stamp = await stampIn(reply, checkpoint, request, [root()])
    expect(stamp).toMatchObject({ authority: 'Stamps tsa', isTrusted: true })
    expect(stamp.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(Math.abs(Date.parse(stamp.at) - before)).toBeLessThan(600_000)
    writeFileSync(join(folder, 'kept.tst'), stamp.token)
    const verdict = openssl(
      'ts',
      '-verify',
      '-data',
      'checkpoint',
      '-in',
      'kept.tst',
      '-token_in',
      '-CAfile',
      'ca.crt',
    )
    expect(verdict).toContain('Verification: OK')
    expect(await checkStamp(stamp.token, checkpoint, [root()])).toEqual(stamp)
  })

  it('comes over HTTP, and whoever gives none is named with the reason', async () => {
    let answers = (query: Buffer): Uint8Array => answer(query)
    const http = createServer(async (request, response) => {
      expect(request.headers['content-type']).toBe('application/timestamp-query')
      response.end(answers(await buffer(request)))
    }).listen(0, '127.0.0.1')
    await once(http, 'listening')
    onTestFinished(() => void http.close())
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/tsa`
    const stamper = createTimeStamper({ url, roots: [root()] })
    const { signal } = new AbortController()
    expect(await stamper.stamp(checkpoint, signal)).toMatchObject({
      authority: 'Stamps tsa',
      isTrusted: true,
    })
    answers = () => Buffer.from('busy')
    await expect(stamper.stamp(checkpoint, signal)).rejects.toThrow(
      'the answer of the time-stamping authority is no time stamp of RFC 3161',
    )
  })

  it('whose root is not known counts, and is not called trusted', async () => {
    const request = await stampRequest(checkpoint)
    const reply = answer(request.der)
    for (const roots of [[], [root('other')]])
      expect(await stampIn(reply, checkpoint, request, roots)).toMatchObject({ isTrusted: false })
  })

  it('of other bytes, of another request, or that was changed is none', async () => {
    const request = await stampRequest(checkpoint)
    const reply = answer(request.der)
    const other = await stampRequest(checkpoint)
    await expect(stampIn(reply, checkpoint, other, [root()])).rejects.toThrow(
      'is the answer to another request',
    )
    await expect(stampIn(reply, Buffer.from('other'), request, [root()])).rejects.toThrow('is of other bytes')
    const { token } = await stampIn(reply, checkpoint, request, [root()])
    for (let at = 0; at < token.length; at += 37) {
      const changed = Buffer.from(token)
      changed[at]! ^= 1
      const result = await checkStamp(changed, checkpoint, [root()]).catch((error: unknown) => error)
      if (result instanceof Error) expect(result).toBeInstanceOf(InvalidTimeStamp)
      else expect(result).toMatchObject({ at: (await checkStamp(token, checkpoint, [root()])).at })
    }
    await expect(checkStamp(Buffer.from('what'), checkpoint, [])).rejects.toThrow(InvalidTimeStamp)
  })

  it('by a certificate that is not for time stamps alone is none', async () => {
    const request = await stampRequest(checkpoint)
    const { token } = await stampIn(answer(request.der), checkpoint, request, [root()])
    const signed = new SignedData({ schema: ContentInfo.fromBER(Uint8Array.from(token).buffer).content })
    writeFileSync(join(folder, 'info'), new Uint8Array(signed.encapContentInfo.eContent!.getValue()))
    const signedBy = (signer: string, type: string) => {
      const key = ['-signer', `${signer}.crt`, '-inkey', `${signer}.key`]
      openssl(
        'cms',
        '-sign',
        '-binary',
        '-nodetach',
        '-md',
        'sha256',
        '-in',
        'info',
        ...key,
        '-econtent_type',
        type,
        '-outform',
        'DER',
        '-out',
        'forged',
      )
      return readFileSync(join(folder, 'forged'))
    }
    const info = '1.2.840.113549.1.9.16.1.4'
    expect(await checkStamp(signedBy('tsa', info), checkpoint, [root()])).toMatchObject({ isTrusted: true })
    for (const signer of ['web', 'loose'])
      await expect(checkStamp(signedBy(signer, info), checkpoint, [root()])).rejects.toThrow(
        'is signed by a certificate that is not for time stamps',
      )
    await expect(checkStamp(signedBy('tsa', '1.2.3.4'), checkpoint, [root()])).rejects.toThrow(
      'is a signature of something else',
    )
  })

  it('that the authority refuses has its reason', async () => {
    const request = await stampRequest(checkpoint)
    const sha512 = Buffer.from(request.der)
    sha512[sha512.indexOf(Buffer.from('0609608648016503040201', 'hex')) + 10] = 3
    const reply = answer(sha512)
    await expect(stampIn(reply, checkpoint, request, [root()])).rejects.toThrow(/refuses: status 2/)
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '#infra/event-store/eventstoredb/connection.ts'
import { readConfig } from '#src/app/config/config.ts'
import type { Config } from '#src/app/config/settings.ts'
import { settings } from '#src/app/config/settings.ts'
import { isEventStoreDbAddress, withoutLogin } from '#src/domain/kernel/server-address.ts'
import { dashed, isNumber, variableOf } from '#src/domain/kernel/setting.ts'

const token = 'a secret of enough letters'

const read = (flags: object = {}, env: NodeJS.ProcessEnv = {}): Config => {
  const config = readConfig({ ...flags }, env)
  return isLeft(config) ? expect.fail(config.left.join('; ')) : config.right
}
const faults = (flags: object = {}, env: NodeJS.ProcessEnv = {}): readonly string[] => {
  const config = readConfig({ ...flags }, env)
  return isLeft(config) ? config.left : expect.fail('there is nothing wrong')
}
/** A config file that holds this. */
const file = (content: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'fonds.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('where a setting comes from', () => {
  it('flags over the environment over the file over the default', () => {
    const config = file({ port: 1, hands: 1, threads: 1 })
    const env = { FONDS_PORT: '2', FONDS_HANDS: '2', FONDS_CONFIG: config }
    expect(read({ port: '3' }, env)).toMatchObject({ port: 3, hands: 2, threads: 1, partitions: 4 })
    expect(read({ config: file({ threads: 9 }) }, env)).toMatchObject({ threads: 9 })
  })

  it('every setting has a variable and a flag', () => {
    const own = {
      homeMode: 'group',
      eventStore: 'sqlite:/x.db',
      broker: 'embedded',
      durability: 'normal',
      logLevel: 'info',
      ingestDrops: 'default=s3://archive/incoming',
      ingestInventory: 'other',
      ingestCharacterise: 'sf -json',
      ingestShoulder: 'ark:/12345/x1',
      mailServer: 'smtp://mail.example:25',
      ezidServer: 'https://ezid.example',
      ingestUploadEndpoint: 'https://s3.example',
      noticesMail: 'ada@archive.example,bob@archive.example',
      noticesWebhook: 'https://hooks.example/fonds?token=x',
      proofStamps: 'https://stamps.example',
      noticesQuiet: '22:00-07:00',
      reports: 'monthly to=ada@archive.example',
      publicUrl: 'https://fonds.archive.example',
      oidcIssuer: 'https://login.archive.example',
      oidcClientSecret: 'a secret of the provider',
      oidcScopes: 'openid groups',
      proxySecret: 'a secret of the proxy',
      proxyHeaders: 'user=X-Forwarded-User',
      indexingSources: 'main=/srv/warcs',
      chain: 'fixity',
      chainStore: 'archive',
      indexingOrder: 'oldest-first',
      indexingFormat: 'cdxj',
      indexingFiles: '/srv/cdx/main.cdx',
      indexingSort: 'gnu',
      indexingRequestKeys: 'on',
      proofPublic: 'on',
      personalValues: 'on',
      indexingReplay: 'http://127.0.0.1:8080/web/',
      s3Endpoint: 'https://s3.example:9000',
      s3Proxy: 'http://proxy.example:3128',
      s3PathStyle: 'off',
      s3Checksums: 'md5',
      s3Etags: 'opaque',
      s3MetadataDigests: 'md5chksum=md5',
    }
    const kafka = { kafkaTls: 'on', kafkaSasl: 'plain', kafkaCompression: 'gzip' }
    const tokens = { token, readToken: 'only looking at it' }
    const texts: Record<string, string> = { home: '/x', host: '::1', ...tokens, ...own, ...kafka }
    const numbers: Record<string, string> = {
      idleMaxSeconds: '600',
      researchDriftPercent: '0.25',
      cacheBytes: '16777216',
    }
    // Some mean something only beside others.
    const config = file({
      ...{ kafkaSasl: 'scram-sha-256', kafkaUsername: 'x', kafkaPassword: 'x', kafkaCertFile: 'x' },
      ...{ mailServer: 'smtp://x', mailFrom: 'x', mailUsername: 'x', mailPassword: 'x' },
      ...{ oidcIssuer: 'https://x', oidcClientId: 'x', oidcClientSecret: 'x'.repeat(16) },
      ...{ ezidServer: 'https://x', ezidUsername: 'x', ezidPassword: 'x' },
      ...{ token: 'beside the other', kafkaKeyFile: 'x', tlsCertFile: 'x', tlsKeyFile: 'x', kafkaTls: 'on' },
    })
    for (const [name, setting] of Object.entries(settings)) {
      const env = variableOf(name)
      const number = isNumber(setting)
      const text = texts[name] ?? numbers[name] ?? '7'
      const value = number ? Number(text) : text
      expect(read({ config }, { [env]: text })[name as keyof Config], env).toBe(value)
      expect(read({ config, [name]: text })[name as keyof Config], dashed(name)).toBe(value)
    }
  })

  it.each([
    ['kafka://a', 'broker: wants'],
    ['kafka://a:9092,b', 'broker: wants'],
    ['amqp://a:1', 'broker: wants'],
  ])('%s is no broker', (broker, says) => expect(faults({ broker })[0]).toContain(says))

  it.each(['https://radio.example', 'radio.example:80', 'a.example,*.b.example'])(
    '%s is no host',
    (mediaHosts) =>
      expect(faults({ mediaHosts })[0]).toMatch(
        /^mediaHosts: wants names of hosts .* \(--media-hosts, FONDS_MEDIA_HOSTS\)$/,
      ),
  )

  it.each(['1.01', '-0.1', 'much'])('%s is no drift', (researchDriftPercent) =>
    expect(faults({ researchDriftPercent })[0]).toMatch(
      /^researchDriftPercent: wants number from 0 to 1 .* \(--research-drift-percent, FONDS_RESEARCH_DRIFT_PERCENT\)$/,
    ),
  )

  it.each(['16777215', '1', '128MB'])('%s bytes are too few for the caches', (cacheBytes) =>
    expect(faults({ cacheBytes })[0]).toMatch(
      /^cacheBytes: wants whole number of bytes, at least 16777216 \(16 MiB\).* \(--cache-bytes, FONDS_CACHE_BYTES\)$/,
    ),
  )

  it('settings that belong together are named where one is missing', () => {
    expect(faults({ kafkaSasl: 'plain', kafkaUsername: 'me' })).toEqual([
      'kafkaPassword: is missing beside kafkaSasl and kafkaUsername (--kafka-password, FONDS_KAFKA_PASSWORD)',
    ])
    expect(faults({ kafkaCaFile: 'ca.pem' })).toEqual([
      'kafkaCaFile: is of use over TLS only; set kafkaTls to on (--kafka-ca-file, FONDS_KAFKA_CA_FILE)',
    ])
    expect(faults({ gateway: '2113', eventStore: 'esdb://a:2113' })[0]).toContain('gateway: ')
  })

  it('empty text is as good as nothing', () => {
    const env = { FONDS_CONFIG: file({ token, port: 5 }), FONDS_TOKEN: '', FONDS_PORT: '' }
    expect(read({}, env)).toMatchObject({ token, port: 5 })
  })

  it('numbers may be given as text, also in the file', () => {
    expect(read({ config: file({ hands: '5' }) }, { FONDS_THREADS: '3' })).toMatchObject({
      hands: 5,
      threads: 3,
    })
  })
})

describe('the home', () => {
  it('is below the working folder by default, and holds the log', () => {
    expect(read()).toMatchObject({
      home: resolve('.fonds'),
      eventStore: `sqlite:${resolve('.fonds/fonds.db')}`,
    })
  })
  it('may be below the user’s own, which ~ means', () => {
    expect(read({ home: '~/archive' }).home).toBe(join(homedir(), 'archive'))
    expect(read({ home: '~' }).home).toBe(homedir())
    expect(read({ home: '/srv/~x' }).home).toBe('/srv/~x')
    expect(read({ eventStore: 'sqlite:~/log.db' }).eventStore).toBe(`sqlite:${join(homedir(), 'log.db')}`)
  })
})

describe('what is wrong', () => {
  it('is named all at once, each with its flag and its variable', () => {
    const lines = faults(
      { port: '70000', logLevel: 'loud', config: file({ colour: 'red', hands: 'many', home: 5 }) },
      {
        FONDS_THREADS: '0',
        FONDS_BYTES_PER_SECOND: 'fast',
        FONDS_HOST: '0.0.0.0',
        FONDS_IDLE_MIN_SECONDS: '900',
      },
    )
    const says = (...parts: readonly string[]) =>
      expect(
        lines.filter((line) => parts.every((part) => line.includes(part))),
        parts.join(),
      ).toHaveLength(1)
    says('port', '70000', '--port', 'FONDS_PORT')
    says('logLevel', 'loud', '--log-level', 'FONDS_LOG_LEVEL')
    says('no setting colour', 'home, homeMode, eventStore', '--config', 'FONDS_CONFIG')
    says('hands', 'many', '--hands', 'FONDS_HANDS')
    says('home:', '5', '--home', 'FONDS_HOME')
    says('threads:', '--threads', 'FONDS_THREADS')
    says('bytesPerSecond:', 'fast', '--bytes-per-second', 'FONDS_BYTES_PER_SECOND')
    says('host', '0.0.0.0', '--token', 'FONDS_TOKEN')
    says('idleMaxSeconds', '480', '900', '--idle-max-seconds', 'FONDS_IDLE_MAX_SECONDS')
    expect(lines).toHaveLength(9)
  })

  it.each([
    ['{"port": ', 'JSON'],
    ['[1]', 'JSON object'],
  ])('a config file that holds %s, and what else is wrong', (text, said) => {
    const lines = faults({ config: file(text), port: '-1' })
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(said)
    expect(lines[0]).toContain('--config, FONDS_CONFIG')
  })

  it('a config file that is not there', () => {
    expect(faults({ config: '/no/such.json' })[0]).toContain('config file /no/such.json')
  })

  it.each(['constructor', 'toString'])('a key that only looks known: %s', (key) => {
    expect(faults({ config: file(`{"${key}": 1}`) })).toHaveLength(1)
  })

  it.each(['idleMinSeconds', 'idleMaxSeconds', 'claimSeconds', 'stallSeconds'])(
    '%s that a timer cannot hold',
    (name) => {
      expect(faults({ [name]: '2592000', idleMaxSeconds: '2592000' }).join()).toContain(name)
    },
  )

  it.each(['7.5', '1e3', ' 7 ', '0x10', '9'.repeat(20)])('a port of %o', (port) => {
    expect(faults({ port })).toHaveLength(1)
  })
})

describe('the host', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('%s needs no token', (host) => {
    expect(read({ host }).token).toBeUndefined()
  })
  it.each(['0.0.0.0', '::', '192.168.0.1', 'archive.example', '127.0.0.1.example'])(
    '%s needs one',
    (host) => {
      expect(faults({ host })).toHaveLength(1)
      expect(read({ host, token })).toMatchObject({ host, token })
    },
  )
})

describe('sign-in', () => {
  const provider = { oidcIssuer: 'https://login.example', oidcClientId: 'fonds', oidcClientSecret: token }

  it('of a provider or of a proxy opens a host that others reach, as a token does', () => {
    expect(read({ host: '0.0.0.0', ...provider }).oidcScopes).toBe('openid profile email')
    expect(read({ host: '0.0.0.0', proxySecret: token }).signInHours).toBe(10)
  })

  it.each([
    [{ oidcIssuer: 'https://login.example' }, /^oidcClientId: is missing beside/],
    [{ ...provider, oidcIssuer: 'http://login.example' }, /^oidcIssuer: wants address of an OpenID provider/],
    [{ ...provider, oidcIssuer: 'http://127.0.0.1.login.example' }, /^oidcIssuer: wants/],
    [{ ...provider, oidcIssuer: 'https://me:pw@login.example' }, /^oidcIssuer: wants/],
    [{ ...provider, oidcClientSecret: 'short' }, /^oidcClientSecret: wants token of 16/],
    [{ ...provider, oidcScopes: 'profile' }, /^oidcScopes: wants scopes .*openid/],
    [{ signInRead: ' , ' }, /^signInRead: wants groups/],
    [{ signInHours: '0' }, /^signInHours: wants/],
    [{ proxyCertFile: 'x.pem' }, /^proxyCertFile: .*tlsCertFile/],
    [{ gateway: '2113', proxySecret: token }, /^gateway: nobody signs in there, so a token is needed/],
    [{ token, proxySecret: token }, /^proxySecret: is a token, too/],
    [{ proxyHeaders: 'name=X-Name' }, /^proxyHeaders: wants headers of a proxy .*user= is needed/],
    [{ proxyHeaders: 'user=X_User' }, /^proxyHeaders: wants/],
    [{ proxyHeaders: 'user=X-User groups=x-user' }, /^proxyHeaders: wants/],
    [{ proxyHeaders: 'user=X-User leave=//evil.example' }, /^proxyHeaders: wants/],
  ])('%j is refused, and the fix is said', (flags, sentence) => {
    const lines = faults(flags)
    expect(lines.join('\n')).toMatch(new RegExp(sentence, 'm'))
    expect(lines.join()).not.toMatch(/pw@|: short/)
  })
})

describe('the token', () => {
  it.each(['secret', 'x'.repeat(15)])('%s is too short to start with, and the fix is said', (short) => {
    const [line, ...others] = faults({ token: short })
    expect(line).toMatch(/^token: wants token of 16 characters or more .*openssl rand -hex 32.*FONDS_TOKEN/)
    expect(line).not.toContain(short)
    expect(others).toEqual([])
  })

  it('of 16 characters is enough', () => expect(read({ token: 'x'.repeat(16) }).token).toHaveLength(16))
})

describe('passwords stand in no sentence', () => {
  /** Characters that are none of the words around it. */
  const password = fc
    .string({ unit: fc.constantFrom(...'QXZ@:/?#% "\\=&,'), minLength: 4, maxLength: 12 })
    .map((s) => `QZ${s}XQ`)
  const scheme = fc.constantFrom(
    'esdb://',
    'esd://',
    'esdb:/',
    'esdb+discover://',
    'kafka://',
    'esdb//',
    '',
    'http://',
  )
  const tail = fc.constantFrom(
    '@h:2113',
    '@h',
    '',
    '@',
    '#h:1',
    ':h:1',
    '@h:1?tls',
    '@h:1?tls=maybe',
    '@h:x',
    '@[::1]:1',
    '@h:1,i:2',
  )

  it('wherever the slip in an address is', () => {
    fc.assert(
      fc.property(scheme, password, tail, (scheme, secret, tail) => {
        // What stands behind the last @ is the host of an address that is right: nobody can tell it from a password.
        fc.pre(tail.includes('@') || !secret.includes('@'))
        const address = `${scheme}user:${secret}${tail}`
        for (const key of ['eventStore', 'broker']) {
          const config = readConfig({ [key]: address }, {})
          if (isLeft(config)) expect(config.left.join()).not.toMatch(/QZ|XQ/)
        }
        if (isEventStoreDbAddress(address)) expect(withoutLogin(address)).not.toMatch(/QZ|XQ/)
        // What the client of EventStoreDB says of it.
        try {
          void connect(address).close()
        } catch (error) {
          expect(String(error)).not.toMatch(/QZ|XQ/)
        }
      }),
      { examples: [['esdb://', 'QZ@Q?QQ=QXQ', '@h:2113']] },
    )
  })

  it('nor in what the client of EventStoreDB warns of: an option that it does not know is named alone', () => {
    const [shown, logged] = [vi.spyOn(console, 'warn').mockReturnValue(), vi.fn()]
    onTestFinished(() => shown.mockRestore())
    void connect('esdb://user:QZsecret@h:2113?nodePrefrence=leader', { log: { warn: logged } }).close()
    expect(logged.mock.calls).toEqual([
      [{ eventStore: 'esdb://h:2113' }, 'Unknown option key "nodePrefrence", setting will be ignored.'],
    ])
    expect(shown).not.toHaveBeenCalled()
  })

  it.each(['kafka://u:p@h:9092', 'kafka://u:p:9092', 'esdb://u:p@ss@h:2113', 'esd://u:pw@h:2113'])(
    '%s is refused',
    (address) =>
      expect(faults({ [address.startsWith('kafka') ? 'broker' : 'eventStore']: address })).toHaveLength(1),
  )

  it('nor in one about a config file that is no JSON', () => {
    for (const text of ['{"token": "QZsecret" "port": 1}', '{"kafkaPassword": QZsecret}', 'QZsecret'])
      expect(faults({ config: file(text) }).join()).not.toContain('QZ')
  })

  it('nor in one about a secret of the wrong kind', () => {
    expect(faults({ config: file({ kafkaPassword: ['QZ'], token: { QZ: 1 } }) }).join()).not.toContain('QZ')
  })
})

import { describe, expect, it } from 'vitest'
import { type Found, firstFound, givenIn, installed, requiredIn, verdict } from './discovery.ts'

const at = (address: string) => async (): Promise<Found> => ({ address })
const not = (absent: string) => async (): Promise<Found> => ({ absent })
const neverAsked = async (): Promise<Found> => {
  throw new Error('asked behind an answer')
}

describe('finding a server', () => {
  it('takes the first way that leads somewhere and asks no further', async () => {
    expect(await firstFound([not('no'), at('a:1'), neverAsked])).toEqual({ address: 'a:1' })
  })

  it('says why of every way, in order, of one that throws too', async () => {
    const throws = async (): Promise<Found> => {
      throw new Error('a local Kafka needs Java 17')
    }
    expect(await firstFound([not('FONDS_KAFKA is not set'), throws])).toEqual({
      absent: 'FONDS_KAFKA is not set; a local Kafka needs Java 17',
    })
  })

  it.each([undefined, '', '  '])(
    'an address that is %j is none, and the variable is named',
    async (given) => {
      expect(await givenIn({ FONDS_KAFKA: given }, 'FONDS_KAFKA', 'host:port')()).toEqual({
        absent: 'FONDS_KAFKA is not set (host:port)',
      })
    },
  )

  it('an address in the environment is taken as it is', async () => {
    expect(await givenIn({ FONDS_KAFKA: ' a:1,b:2 ' }, 'FONDS_KAFKA', 'host:port')()).toEqual({
      address: 'a:1,b:2',
    })
  })
})

it('a program that is not installed says where it comes from', async () => {
  expect(await installed('node', 'x')()).toMatchObject({ address: expect.stringMatching(/node$/) })
  expect(await installed('no-such-program', 'apt-get install it')()).toEqual({
    absent: 'no-such-program is not installed (apt-get install it)',
  })
})

describe('FONDS_REQUIRE', () => {
  it('is a list; spaces and empty places count for nothing', () => {
    expect(requiredIn({ FONDS_REQUIRE: ' kafka, ,eventstoredb' })).toEqual(['kafka', 'eventstoredb'])
    expect(requiredIn({})).toEqual([])
  })

  it('a server there is none of is refused, and those there are named', () => {
    expect(() => requiredIn({ FONDS_REQUIRE: 'kafak' })).toThrow(
      'kafak; there are kafka, eventstoredb, s3, moto, nginx, rocfl, ocfl-py, bagit, aiosmtpd, file, zstd, sound-programs, surt, cdxj-indexer, fastwarc, pywb, wacz, chromium, promtool, zsh, fish, jwarc, jhove, esdb-python, esdb-node, esdb-go, esdb-java',
    )
  })

  const found = {
    kafka: { address: 'a:1' },
    eventstoredb: { absent: 'no Docker engine answers' },
    s3: { address: 'http://key:QZ@a:1' },
    moto: { absent: 'moto is not installed' },
    nginx: { address: '/usr/sbin/nginx' },
    rocfl: { address: '/usr/bin/rocfl' },
    'ocfl-py': { address: '/usr/bin/ocfl-validate.py' },
    bagit: { address: '/usr/bin/bagit.py' },
    aiosmtpd: { address: '/usr/bin/aiosmtpd' },
    file: { address: '/usr/bin/file' },
    zstd: { address: '/usr/bin/zstd' },
    'sound-programs': { address: '/usr/bin/espeak-ng:/usr/bin/sox' },
    surt: { address: '/usr/bin/python3' },
    'cdxj-indexer': { address: '/usr/bin/cdxj-indexer' },
    fastwarc: { address: '/usr/bin/fastwarc' },
    pywb: { address: '/opt/wayback' },
    wacz: { address: '/opt/wacz' },
    chromium: { address: '/usr/bin/chromium' },
    promtool: { address: '/usr/bin/promtool' },
    zsh: { address: '/usr/bin/zsh' },
    fish: { address: '/usr/bin/fish' },
    jwarc: { address: '/opt/jwarc.jar' },
    jhove: { address: '/usr/share/jhove-apps.jar' },
    'esdb-python': { address: '/opt/esdb-python' },
    'esdb-node': { address: '/opt/esdb-node' },
    'esdb-go': { address: '/opt/esdb-go' },
    'esdb-java': { address: '/opt/esdb-java' },
    'cloudevents-node': { address: '/opt/cloudevents-node' },
    'cloudevents-python': { address: '/opt/cloudevents-python' },
    'cloudevents-python-1': { address: '/opt/cloudevents-python-1' },
    'cloudevents-java': { address: '/opt/cloudevents-java' },
    'tlog-go': { address: '/opt/tlog-go' },
    litewitness: { address: '/opt/litewitness' },
    xmllint: { address: '/usr/bin/xmllint' },
    rapper: { address: '/usr/bin/rapper' },
    openssl: { address: '/usr/bin/openssl' },
  }

  it('what cannot be had is skipped with a loud line that says why', () => {
    const { lines, missing } = verdict(found, ['kafka'])
    expect(lines).toContain('kafka: on a:1')
    expect(lines.find((line) => line.startsWith('!!! SKIPPED eventstoredb'))).toContain(
      'no Docker engine answers',
    )
    expect(missing).toEqual([])
  })

  it('keys in an address are not shown', () => {
    expect(verdict(found, []).lines).toContain('s3: on http://…@a:1')
  })

  it('what cannot be had and must be is missing', () => {
    expect(verdict(found, ['kafka', 'eventstoredb']).missing).toEqual([
      'FONDS_REQUIRE names eventstoredb, but no Docker engine answers',
    ])
  })
})

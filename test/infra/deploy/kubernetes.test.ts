import { existsSync } from 'node:fs'
import { isRight } from 'fp-ts/lib/Either.js'
import type { StatefulSet } from 'kubernetes-types/apps/v1.js'
import type { ConfigMap, Secret } from 'kubernetes-types/core/v1.js'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#src/app/config/config.ts'
import { roles, settings } from '#src/app/config/settings.ts'
import { unknownVariables } from '#src/cli/unknown-variables.ts'
import { variableOf } from '#src/domain/kernel/setting.ts'
import { faultsOf, type Manifest, manifests } from './manifests.ts'

const all = manifests()
const inBuckets = manifests('buckets')
const key = (kind: string): string => [...all.keys()].find((one) => one.includes(` ${kind} `)) ?? kind
const nodes = all.get(key('StatefulSet')) as unknown as StatefulSet
const container = nodes.spec?.template.spec?.containers[0]

/** What Kubernetes puts into the environment of every container for a Service. */
const serviceLinks = (name: string) => ({
  [`${name}_SERVICE_HOST`]: '10.96.0.7',
  [`${name}_SERVICE_PORT`]: '80',
  [`${name}_SERVICE_PORT_HTTP`]: '80',
  [`${name}_PORT`]: 'tcp://10.96.0.7:80',
  [`${name}_PORT_7070_TCP`]: 'tcp://10.96.0.7:7070',
  [`${name}_PORT_7070_TCP_PROTO`]: 'tcp',
  [`${name}_PORT_7070_TCP_PORT`]: '7070',
  [`${name}_PORT_7070_TCP_ADDR`]: '10.96.0.7',
})

describe('Kubernetes manifests', () => {
  it('are what Kubernetes takes, to the last field', async () => {
    const faults = await faultsOf(all)
    expect([...faults.keys()]).toHaveLength(all.size)
    expect([...faults.values()].flat()).toEqual([])
  })

  it('and what it does not take is found out', async () => {
    const good = all.get(key('StatefulSet'))!
    const spoilt = (spoil: (text: string) => string): Manifest => {
      const text = JSON.stringify(good)
      expect(spoil(text)).not.toBe(text)
      return JSON.parse(spoil(text)) as Manifest
    }
    const faults = await faultsOf(
      new Map([
        ['unknown field', spoilt((text) => text.replace('"runAsNonRoot"', '"runAsNonRot"'))],
        ['wrong type', spoilt((text) => text.replace('"replicas":2', '"replicas":"2"'))],
        ['missing field', spoilt((text) => text.replace(/"selector":\{.*?\}\},/, ''))],
        ['unknown kind', spoilt((text) => text.replace('"StatefulSet"', '"StatefullSet"'))],
      ]),
    )
    for (const [what, found] of faults) expect(found, what).not.toEqual([])
  })

  it('settings and secrets are a configuration that Fonds starts with', () => {
    const config = all.get(key('ConfigMap')) as unknown as ConfigMap
    const secret = all.get(key('Secret')) as unknown as Secret
    const own = (container?.env ?? []).map(({ name, value }) => [name, value] as const)
    const env: Record<string, string | undefined> = {
      ...config.data,
      ...secret.stringData,
      ...Object.fromEntries(own),
    }
    expect(Object.keys(settings).map(variableOf)).toEqual(expect.arrayContaining(Object.keys(env)))
    // The example's own token is there to be replaced.
    expect(readConfig({}, env)).toMatchObject({ left: [expect.stringContaining('FONDS_TOKEN')] })
    const read = readConfig({}, { ...env, FONDS_TOKEN: 'x'.repeat(64) })
    expect(isRight(read), JSON.stringify(read)).toBe(true)
    const secrets = Object.entries(settings).flatMap(([key, { secret }]) => (secret ? [variableOf(key)] : []))
    expect(Object.keys(config.data ?? {}).filter((name) => secrets.includes(name))).toEqual([])
  })

  it('storage root, work folder and index are on a volume that all nodes have; the home is each one’s own', () => {
    const { data = {} } = all.get(key('ConfigMap')) as unknown as ConfigMap
    const mounts = container?.volumeMounts ?? []
    const volumeOf = (path = '') => mounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))?.name
    const shared = ['FONDS_INGEST_STORAGE', 'FONDS_INGEST_WORK', 'FONDS_INDEXING_FOLDER'].map(
      (name) => data[name],
    )
    expect(new Set(shared).size).toBe(3)
    for (const folder of shared) expect(volumeOf(folder)).toBe('shared')
    const { volumes = [] } = nodes.spec?.template.spec ?? {}
    const claim = volumes.find(({ name }) => name === 'shared')?.persistentVolumeClaim?.claimName
    const claimed = [...all.values()].find(({ kind }) => kind === 'PersistentVolumeClaim')
    expect(claimed).toMatchObject({ metadata: { name: claim }, spec: { accessModes: ['ReadWriteMany'] } })
    expect(nodes.spec?.volumeClaimTemplates).toMatchObject([{ metadata: { name: 'data' } }])
  })

  describe('for nodes that share a bucket alone', () => {
    const of = (kind: string) => [...inBuckets.values()].find((one) => one.kind === kind)
    const given = of('StatefulSet') as unknown as StatefulSet
    const { data = {} } = of('ConfigMap') as unknown as ConfigMap

    it('are what Kubernetes takes, and what is not in them is that of the others', async () => {
      const faults = await faultsOf(inBuckets)
      expect([...faults.keys()]).toHaveLength(inBuckets.size)
      expect([...faults.values()].flat()).toEqual([])
      const isShared = ({ name }: { readonly name: string }) => name === 'shared' || name === 'archive'
      const expected = structuredClone(nodes)
      const [pod, one] = [expected.spec!.template.spec!, expected.spec!.template.spec!.containers[0]!]
      pod.volumes = pod.volumes!.filter((volume) => !isShared(volume))
      one.volumeMounts = one.volumeMounts!.filter((mount) => !isShared(mount))
      one.envFrom!.push({ secretRef: { name: 'fonds-s3', optional: true } })
      expected.spec!.volumeClaimTemplates![0]!.spec!.resources!.requests = { storage: '200Gi' }
      expect(given).toEqual(expected)
    })

    it('name no volume that several have, and put nothing but what is a node’s own on its own', () => {
      const { volumes = [], containers } = given.spec!.template.spec!
      for (const volume of volumes) expect(volume).not.toHaveProperty('persistentVolumeClaim')
      const mounts = containers[0]!.volumeMounts!.map(({ mountPath }) => mountPath)
      for (const name of ['FONDS_INGEST_WORK', 'FONDS_INDEXING_FOLDER'])
        expect(mounts.some((path) => path === '/data' && data[name]?.startsWith(`${path}/`))).toBe(true)
      const paths = Object.entries(data).filter(([, value]) => value.startsWith('/'))
      for (const [name, path] of paths)
        expect(
          mounts.some((mount) => path.startsWith(`${mount}/`)),
          name,
        ).toBe(true)
      expect([data.FONDS_INGEST_STORAGE, data.FONDS_INGEST_FOLDERS]).toEqual([
        's3://archive/storage',
        's3://archive/incoming',
      ])
    })

    it('are a configuration that Fonds starts with, and the same as the others but for places', () => {
      const secret = all.get(key('Secret')) as unknown as Secret
      const env = { ...data, ...secret.stringData, FONDS_HOME: '/data', FONDS_TOKEN: 'x'.repeat(64) }
      expect(Object.keys(settings).map(variableOf)).toEqual(expect.arrayContaining(Object.keys(env)))
      const read = readConfig({}, env)
      expect(isRight(read), JSON.stringify(read)).toBe(true)
      const others = (all.get(key('ConfigMap')) as unknown as ConfigMap).data ?? {}
      const differing = Object.keys({ ...data, ...others }).filter((name) => data[name] !== others[name])
      expect(differing.sort()).toEqual([
        'FONDS_INDEXING_FOLDER',
        'FONDS_INGEST_FOLDERS',
        'FONDS_INGEST_STORAGE',
        'FONDS_INGEST_WORK',
        'FONDS_S3_ENDPOINT',
        'FONDS_S3_REGION',
      ])
      expect(of('Secret')).toMatchObject({
        metadata: { name: 'fonds-s3' },
        stringData: { AWS_ACCESS_KEY_ID: expect.any(String), AWS_SECRET_ACCESS_KEY: expect.any(String) },
      })
    })
  })

  it('Services beside it give a node no settings', () => {
    expect(nodes.spec?.template.spec?.enableServiceLinks).toBe(false)
    for (const service of [...all.values()].filter(({ kind }) => kind === 'Service')) {
      const name = String((service.metadata as { name?: string })?.name)
        .toUpperCase()
        .replaceAll('-', '_')
      const links = serviceLinks(name)
      const own = Object.keys(settings).filter((key) => variableOf(key) in links)
      const read = readConfig({}, links)
      if (own.length === 0) expect(read).toMatchObject({ _tag: 'Right' })
      else
        expect(read).toMatchObject({
          left: [expect.stringMatching(/^FONDS_PORT: .*enableServiceLinks: false/)],
        })
      expect(unknownVariables(links)).toEqual([])
      // What is set in the pod's spec goes over what Kubernetes makes; so does a flag.
      expect(readConfig({ port: '80' }, links)).toMatchObject({ right: { port: 80 } })
      expect(readConfig({}, { ...links, FONDS_PORT: '80' })).toMatchObject({ right: { port: 80 } })
    }
  })

  it('a node has longer to stop than its work has', () => {
    const args = container?.args ?? []
    const grace = Number(args[args.indexOf('--grace') + 1])
    expect(grace).toBeGreaterThan(0)
    expect(nodes.spec?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(grace)
  })

  it('roles are real ones, and probes ask what there is', () => {
    const args = container?.args ?? []
    expect(roles).toEqual(expect.arrayContaining((args[args.indexOf('--roles') + 1] ?? '?').split(',')))
    const asked = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
      (probe) => probe?.exec?.command ?? [],
    )
    for (const [, file = '?'] of asked) {
      const [, source = '?'] = /^lib\/(.+)\.js$/.exec(file) ?? []
      expect(existsSync(`${source}.ts`), file).toBe(true)
    }
    expect(asked.map(([, , route]) => route)).toEqual(['/healthz', '/healthz', '/readyz'])
  })

  it('a node has no rights that it does not need, and writes nowhere but on its volumes', () => {
    expect(nodes.spec?.template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })
})

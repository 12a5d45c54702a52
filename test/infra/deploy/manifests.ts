import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { typeFaults } from '../type-faults.ts'

export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly [field: string]: unknown
}

const folder = resolve('infra/kubernetes')

/** Every document of a folder of infra/kubernetes, by `file kind name`. */
export const manifests = (below = ''): ReadonlyMap<string, Manifest> =>
  new Map(
    yamlIn(join(folder, below)).flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder, below, file), 'utf8'), {
        strict: true,
        uniqueKeys: true,
      }).map((doc) => {
        if (doc.errors[0]) throw doc.errors[0]
        const manifest = doc.toJS() as Manifest & { readonly metadata: { readonly name: string } }
        return [`${file} ${manifest.kind} ${manifest.metadata.name}`, manifest] as const
      }),
    ),
  )

const yamlIn = (place: string): readonly string[] =>
  readdirSync(place).filter((file) => file.endsWith('.yaml'))

/** What Kubernetes' own schema holds against each manifest (by key): its types are made from that schema. */
export const faultsOf = (
  given: ReadonlyMap<string, Manifest>,
): Promise<ReadonlyMap<string, readonly string[]>> =>
  typeFaults(new Map([...given].map(([key, manifest]) => [key, asLiteral(manifest)])))

const asLiteral = (manifest: Manifest): string => {
  const group = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion
  const types = resolve('node_modules/kubernetes-types', group)
  return `import type { ${manifest.kind} } from '${types}'\nexport const it: ${manifest.kind} = ${JSON.stringify(manifest)}\n`
}

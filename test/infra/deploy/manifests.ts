import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'

export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly [field: string]: unknown
}

const folder = resolve('infra/kubernetes')

/** Every document of infra/kubernetes, by `file kind name`. */
export const manifests = (): ReadonlyMap<string, Manifest> =>
  new Map(
    readdirSync(folder).flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { strict: true, uniqueKeys: true }).map(
        (doc) => {
          if (doc.errors[0]) throw doc.errors[0]
          const manifest = doc.toJS() as Manifest & { readonly metadata: { readonly name: string } }
          return [`${file} ${manifest.kind} ${manifest.metadata.name}`, manifest] as const
        },
      ),
    ),
  )

/**
 * What Kubernetes' own schema holds against each manifest (by key): its types are made from that schema, and the
 * compiler refuses unknown fields, missing ones and wrong types of a literal at any depth.
 */
export const faultsOf = async (
  given: ReadonlyMap<string, Manifest>,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const scratch = mkdtempSync(join(tmpdir(), 'fonds-manifests-'))
  try {
    const files = new Map(
      [...given].map(([key, manifest], index) => [`manifest${index}.ts`, { key, manifest }]),
    )
    for (const [file, { manifest }] of files) writeFileSync(join(scratch, file), asLiteral(manifest))
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
      '--pretty',
      'false',
      '--module',
      'esnext',
    ]
    const said = await promisify(execFile)(
      process.execPath,
      [compiler, ...flags, '--moduleResolution', 'bundler', ...files.keys()],
      {
        cwd: scratch,
      },
    ).then(
      () => '',
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
    )
    const lines = said.split('\n').filter((line) => line.includes('error TS'))
    const faults = [...files].map(
      ([file, { key }]) => [key, lines.filter((line) => line.includes(`${file}(`))] as const,
    )
    const placed = faults.reduce((sum, [, ofOne]) => sum + ofOne.length, 0)
    if (placed < lines.length || (said !== '' && lines.length === 0))
      throw new Error(`the compiler said: ${said}`)
    return new Map(faults)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const asLiteral = (manifest: Manifest): string => {
  const group = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion
  const types = resolve('node_modules/kubernetes-types', group)
  return `import type { ${manifest.kind} } from '${types}'\nexport const it: ${manifest.kind} = ${JSON.stringify(manifest)}\n`
}

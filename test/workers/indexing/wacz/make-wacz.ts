import { createHash } from 'node:crypto'
import { type ZipPart, zipOf } from '../../ingest/zip-file.ts'

const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

interface WaczOptions {
  /** Parts of the zip, added or taken in place of those of the same name. */
  readonly parts?: readonly ZipPart[]
  /** Parts that are left out. */
  readonly without?: readonly string[]
  /** Takes the place of fields of datapackage.json. */
  readonly dataPackage?: object
}

/** A WACZ of these files below `archive/`, described and stored as its specification wants. */
export const waczOf = (
  archives: Readonly<Record<string, Buffer>>,
  { parts = [], without = [], dataPackage }: WaczOptions = {},
): Buffer => {
  const described = Buffer.from(
    JSON.stringify({
      profile: 'data-package',
      wacz_version: '1.1.1',
      resources: Object.entries(archives).map(([name, bytes]) => ({
        name,
        path: `archive/${name}`,
        hash: sha256(bytes),
        bytes: bytes.length,
      })),
      ...dataPackage,
    }),
  )
  const made = new Map<string, ZipPart>()
  const add = (part: ZipPart) => made.set(String(part.name), part)
  // An index of its own that is wrong: nobody reads it.
  add({ name: 'indexes/index.cdx.gz', bytes: Buffer.from('wrong'), stored: true })
  for (const [name, bytes] of Object.entries(archives)) add({ name: `archive/${name}`, bytes, stored: true })
  add({ name: 'pages/pages.jsonl', bytes: Buffer.from('{}\n') })
  add({ name: 'datapackage.json', bytes: described })
  add({
    name: 'datapackage-digest.json',
    bytes: Buffer.from(JSON.stringify({ path: 'datapackage.json', hash: sha256(described) })),
  })
  for (const part of parts) add(part)
  for (const name of without) made.delete(name)
  return zipOf([...made.values()])
}

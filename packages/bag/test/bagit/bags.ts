import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of a bag by their paths. */
export type Bag = Record<string, string | Uint8Array>

export const digestOf = (algorithm: string, bytes: string | Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex')

const manifestOf = (algorithm: string, files: Bag): string =>
  Object.entries(files)
    .map(([path, bytes]) => `${digestOf(algorithm, bytes)}  ${path}\n`)
    .join('')

/** A bag as the tools of libraries write it: two payload manifests, bag-info, a tag manifest. */
export const bagOf = (payload: Bag, algorithms: readonly string[] = ['sha256', 'md5']): Bag => {
  const size = Object.values(payload).reduce((sum, bytes) => sum + Buffer.byteLength(bytes as string), 0)
  const bag: Bag = {
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'bag-info.txt': `Source-Organization: An archive\nPayload-Oxum: ${size}.${Object.keys(payload).length}\n`,
    ...payload,
  }
  for (const algorithm of algorithms) bag[`manifest-${algorithm}.txt`] = manifestOf(algorithm, payload)
  return withTagManifest(bag)
}

/** With a tag manifest of the tag files as they are now. */
export const withTagManifest = (bag: Bag): Bag => {
  const tags = Object.entries(bag).filter(([path]) => !/^data\/|^tagmanifest-/.test(path))
  return { ...bag, 'tagmanifest-sha256.txt': manifestOf('sha256', Object.fromEntries(tags)) }
}

export const writeBag = (folder: string, bag: Bag): void => {
  mkdirSync(join(folder, 'data'), { recursive: true })
  for (const [path, bytes] of Object.entries(bag)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

import { createHash } from 'node:crypto'

export const digest = (algorithm: string, bytes: Buffer | string): string =>
  createHash(algorithm).update(bytes).digest('hex')

export interface FileOfBag {
  /** Below the bag: `data/…`. */
  readonly path: string
  readonly bytes: Buffer | string
}

/** All files of a bag (RFC 8493), each by its path below the bag. */
export const bagOf = (
  payload: readonly FileOfBag[],
  description: string,
): readonly [path: string, content: Buffer | string][] => {
  const manifest = payload.map(({ path, bytes }) => `${digest('sha256', bytes)}  ${path}\n`).join('')
  const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'
  const info = `Source-Organization: Demo Archive\nExternal-Description: ${description}\n`
  const tags = { 'bagit.txt': declaration, 'bag-info.txt': info, 'manifest-sha256.txt': manifest }
  const tagManifest = Object.entries(tags).map(([name, text]) => `${digest('sha256', text)}  ${name}\n`)
  return [
    ...Object.entries(tags),
    ['tagmanifest-sha256.txt', tagManifest.join('')],
    ...payload.map(({ path, bytes }): [string, Buffer | string] => [path, bytes]),
  ]
}

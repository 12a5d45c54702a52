import { createReadStream } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import {
  type BagDeclaration,
  declarationFile,
  manifestAlgorithm,
  parseDeclaration,
  parseManifestName,
} from '@fonds/bag'
import { type DigestAlgorithm, digestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import { syncAll } from '@fonds/toolbox/disk'
import { type Either, left, right } from 'fp-ts/lib/Either.js'

/* Lines of tag manifests (RFC 8493 §2.2.1) for the files of one folder of a bag. All other bytes of the manifests stay. */

interface TagManifest {
  readonly file: string
  readonly algorithm: DigestAlgorithm
}

/** The tag manifests of a bag. Left: one that cannot be extended here. */
export const tagManifestsOf = async (bag: string): Promise<Either<string, readonly TagManifest[]>> => {
  const { encoding }: BagDeclaration = parseDeclaration(await readFile(join(bag, declarationFile)), () => {})
  if (/^utf-?(16|32)/i.test(encoding)) return left(`${bag} has its tag files in ${encoding}`)
  const manifests: TagManifest[] = []
  for (const file of await readdir(bag)) {
    if (parseManifestName(file)?.isTag !== true) continue
    const algorithm = digestAlgorithm(manifestAlgorithm(file) ?? '')
    if (algorithm === undefined) return left(`${file} has digests that cannot be computed here`)
    manifests.push({ file, algorithm })
  }
  return right(manifests)
}

/** Takes all files below a folder of the bag off its tag manifests: then it may be there or not. */
export const unlistTagFiles = (
  bag: string,
  manifests: readonly TagManifest[],
  folder: string,
): Promise<void> => change(bag, manifests, (lines) => lines.filter((line) => !isBelow(line, folder)))

/** Puts all files below a folder of the bag on its tag manifests. */
export const listTagFiles = async (
  bag: string,
  manifests: readonly TagManifest[],
  folder: string,
): Promise<void> => {
  if (manifests.length === 0) return
  const found = await readdir(join(bag, folder), { recursive: true, withFileTypes: true })
  const paths = found
    .filter((one) => one.isFile())
    .map((one) => relative(bag, join(one.parentPath, one.name)).replaceAll('\\', '/'))
    .sort()
  const listed = new Map<string, ReadonlyMap<DigestAlgorithm, string>>()
  for (const path of paths) listed.set(path, await digestsOf(join(bag, path), manifests))
  await change(bag, manifests, (lines, algorithm) => [
    ...lines,
    ...[...listed].map(([path, digests]) => `${digests.get(algorithm)}  ${path}\n`),
  ])
}

const digestsOf = async (path: string, manifests: readonly TagManifest[]) => {
  const digests = await createDigests([...new Set(manifests.map(({ algorithm }) => algorithm))])
  for await (const bytes of createReadStream(path)) digests.update(bytes)
  return digests.end()
}

const isBelow = (line: string, folder: string): boolean =>
  new RegExp(`^[0-9a-fA-F]+[ \\t]+[*]?(?:\\./)?${folder}/`).test(line)

const change = async (
  bag: string,
  manifests: readonly TagManifest[],
  edit: (lines: readonly string[], algorithm: DigestAlgorithm) => readonly string[],
): Promise<void> => {
  for (const { file, algorithm } of manifests) {
    const path = join(bag, file)
    // Bytes of other lines stay, whatever their encoding is.
    const text = await readFile(path, 'latin1')
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    const ended = lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`))
    const edited = edit(ended, algorithm).join('')
    if (edited === text) continue
    const part = `${path}.part`
    // Never through a link that came with the bag.
    await rm(part, { force: true })
    await writeFile(part, edited, { encoding: 'latin1', flush: true, flag: 'wx' })
    await rename(part, path)
  }
  await syncAll([bag])
}

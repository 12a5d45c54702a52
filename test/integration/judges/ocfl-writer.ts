import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { openOcflStore } from '#infra/object-store/ocfl/object-store.ts'
import { openBucketStore } from '#infra/object-store/ocfl-s3/object-store.ts'
import { openProcessLock } from '#infra/sqlite/process-lock.ts'

/*
 * Writes version after version of some objects until it is killed. `node ocfl-writer.ts <folder> <objects> [address]`: in
 * the folder, or in the bucket at the address.
 */

const [folder = '', objects = '1', address] = process.argv.slice(2)
const store =
  address === undefined
    ? await openOcflStore(join(folder, 'root'))
    : await openBucketStore(address, { processLock: openProcessLock(join(folder, 'locks')) })
const sources = join(folder, 'sources', String(process.pid))
mkdirSync(sources, { recursive: true })

let count = 0
const file = (path: string, text: string) => {
  count += 1
  const from = join(sources, String(count))
  writeFileSync(from, text)
  return {
    path,
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    from,
  }
}

const writeFor = async (object: string): Promise<void> => {
  for (;;) {
    const head = await store.head(object)()
    if (isLeft(head)) throw new Error(JSON.stringify(head.left))
    const basedOn = head.right?.version ?? 0
    const written = await store.write({
      object,
      basedOn,
      files: [file(`f${basedOn % 3}`, `${object} ${basedOn + 1}`), file('version', String(basedOn + 1))],
      carry: 'all',
      message: `version ${basedOn + 1}`,
      user: { name: 'Archive', address: 'mailto:archive@example.org' },
      created: new Date(Date.UTC(2026, 0, 1, 0, 0, basedOn)).toISOString(),
    })()
    if (isLeft(written)) throw new Error(JSON.stringify(written.left))
    process.stdout.write(`${object} ${written.right.version}\n`)
  }
}

await Promise.all(Array.from({ length: Number(objects) }, (_, i) => writeFor(`ark:/99999/${i}`)))

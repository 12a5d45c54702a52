import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { ListedObject } from '../../../s3/objects.ts'
import { InventoryError } from './error.ts'
import { type InventoryFiles, placeOf, reasonOf } from './files.ts'
import type { InventoryFile } from './manifest.ts'
import type { ReadRow } from './rows.ts'

/**
 * Reads one gzipped CSV file of an inventory, and compares its MD5. Memory does not grow with it. Objects come before
 * the file is known to be whole. Throws `InventoryError`, or the signal's reason.
 */
export const readInventoryFile = async (
  files: InventoryFiles,
  file: InventoryFile,
  readRow: ReadRow,
  onObject: (object: ListedObject) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { path, version } = await placeOf(files, file.key)
  const name = files.nameOf(path)
  const md5 = createHash('md5')
  const bytes = new PassThrough()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const reading = files.store
    .read(path, { version, signal: either }, async (chunk) => {
      md5.update(chunk)
      // The chunk is valid until the next one is asked for.
      if (!bytes.write(Uint8Array.from(chunk))) await drained(bytes, either)
    })()
    .then((read) => {
      if (isLeft(read)) bytes.destroy(new InventoryError(`${name} cannot be read: ${reasonOf(read.left)}`))
      else bytes.end()
    })
  reading.catch((error) => bytes.destroy(error))
  try {
    await pipeline(
      bytes,
      createGunzip(),
      parse({ bom: true, relax_column_count: true, skip_empty_lines: true }),
      async (rows: AsyncIterable<readonly string[]>) => {
        let record = 0
        for await (const row of rows) {
          const object = readRow(row, { file: name, record: ++record })
          if (object) onObject(object)
        }
      },
      { signal },
    )
    await reading
  } catch (error) {
    stop.abort(error)
    await reading.catch(() => {})
    signal.throwIfAborted()
    throw isDamage(error) ? damaged(name, error.message) : error
  }
  if (md5.digest('hex') !== file.md5) throw damaged(name, 'its MD5 is not that of the manifest')
}

const drained = (bytes: PassThrough, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    bytes.once('drain', () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })

const damaged = (name: string, reason: string): InventoryError =>
  new InventoryError(`${name} is damaged: ${reason}; fetch it again, or name the manifest of another day`)

const isDamage = (error: unknown): error is Error =>
  error instanceof CsvError || (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))

import { setImmediate as nextTurn } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { BucketInventory, OpenInventory } from '../../../../src/ports/bucket-inventory.ts'
import { openBucket } from '../../../s3/bucket.ts'
import openContent, { type ContentSettings, readsAtOnce } from '../../open-content.ts'
import { locationOf } from '../location.ts'
import { InventoryError } from './error.ts'
import { bytesOf, filesOf, type InventoryFiles } from './files.ts'
import { listedContent } from './listed-content.ts'
import { type InventoryManifest, readManifest } from './manifest.ts'
import { readInventoryFile } from './read-file.ts'
import { rowReader } from './rows.ts'
import { createSortedObjects, type SortedObjects } from './sorted-objects.ts'

/** Opens inventories with the settings by which buckets are reached. */
export const inventoryOpener =
  (settings: ContentSettings): OpenInventory =>
  ({ root, manifest: address }, options) =>
  async () => {
    const objects = createSortedObjects()
    try {
      const files = filesOf(address, (place) => openContent(place, settings))
      const manifest = await manifestIn(files, options.signal)
      return E.right(await open(root, files, manifest, objects, settings, options))
    } catch (error) {
      objects.close()
      options.signal.throwIfAborted()
      if (error instanceof InventoryError) return E.left(error.message)
      throw error
    }
  }

const manifestIn = async (files: InventoryFiles, signal: AbortSignal): Promise<InventoryManifest> => {
  const name = files.nameOf(files.manifest)
  const bytes = await bytesOf(files, files.manifest, signal)
  if (!bytes) throw new InventoryError(`${name} is not there; name the manifest.json of an S3 Inventory`)
  const beside = files.manifest.replace(/[^/]*$/, 'manifest.checksum')
  const checksum = await bytesOf(files, beside, signal)
  return readManifest(name, bytes, checksum && Buffer.from(checksum).toString())
}

const open = async (
  root: string,
  files: InventoryFiles,
  manifest: InventoryManifest,
  objects: SortedObjects,
  settings: ContentSettings,
  { signal, onProgress }: Parameters<OpenInventory>[1],
): Promise<BucketInventory> => {
  const name = files.nameOf(files.manifest)
  const { bucket: bucketName, prefix } = locationOf(root)
  const { sourceBucket, createdAt, columns } = manifest
  if (sourceBucket !== bucketName)
    throw new InventoryError(
      `${name} is of the bucket ${sourceBucket}, and the store is in ${bucketName}; name the manifest of an inventory of ${bucketName}`,
    )
  const readRow = rowReader(columns, sourceBucket)
  const counted = { rows: 0, below: 0 }
  for (const file of manifest.files)
    await readInventoryFile(
      files,
      file,
      readRow,
      (object) => {
        if (++counted.rows % rowsOfStep === 0) onProgress?.({ rows: rowsOfStep })
        if (!object.key.startsWith(prefix)) return
        counted.below++
        objects.add(object)
      },
      signal,
    )
  if (counted.below === 0 && counted.rows > 0)
    throw new InventoryError(
      `${name}: of ${counted.rows} objects none is below ${prefix}; its configuration may have a filter, or it is older than they`,
    )
  await nextTurn()
  signal.throwIfAborted()
  objects.sort()
  const bucket = openBucket(bucketName, settings.s3)
  return {
    content: { ...listedContent({ bucket, prefix, rules: settings.claims }, objects), readsAtOnce },
    createdAt,
    objects: counted.below,
    close: async () => {
      objects.close()
      await bucket.close()
    },
  }
}

const rowsOfStep = 10_000

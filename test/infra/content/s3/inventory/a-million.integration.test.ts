import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { inventoryOpener } from '../../../../../infra/content/s3/inventory/open-inventory.ts'
import { makeInventory, rowOf } from '../../../../fakes/s3-inventory.ts'
import { temporaryFolder } from '../../../../workers/indexing/temporary-folder.ts'

const MiB = 1024 ** 2
const files = 20
const rowsOfFile = 50_000
const rows = files * rowsOfFile
/** It has no divisor in common with the number of rows: its multiples reach each number once, in no order. */
const step = 7919

const pathOf = (number: number) => {
  const digits = String(number).padStart(9, '0')
  return `${digits.slice(0, 6)}/${digits}`
}

/** Writes the inventory and returns the path of its manifest; nothing of it stays in memory. */
const writeInventory = (folder: string): string => {
  const made = makeInventory(
    Array.from({ length: files }, (_, file) =>
      Array.from({ length: rowsOfFile }, (_, i) => {
        const number = ((file * rowsOfFile + i) * step) % rows
        return rowOf(`main/${pathOf(number)}`, number)
      }),
    ),
  )
  for (const [key, bytes] of made.files) writeFileSync(join(folder, basename(key)), bytes)
  return join(folder, basename(made.manifest))
}

it('an inventory of a million objects in no order is sorted on disk, and listed with flat memory', async () => {
  const manifest = writeInventory(temporaryFolder())
  let most = 0
  const measure = () => {
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external)
  }
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  measure()
  const before = most
  const opened = await inventoryOpener({ s3: { endpoint: 'http://127.0.0.1:1' } })(
    { root: 's3://archive/main', manifest },
    { signal: new AbortController().signal, onProgress: measure },
  )()
  if (isLeft(opened)) throw new Error(opened.left)
  const { content, objects, close } = opened.right
  expect(objects).toBe(rows)
  let next = 0
  for await (const one of content.names()) {
    if (one.kind !== 'name' || one.path !== pathOf(next))
      throw new Error(`${pathOf(next)} is not in its place`)
    if (++next % 10_000 === 0) measure()
  }
  await close()
  expect(next).toBe(rows)
  expect(most - before).toBeLessThan(200 * MiB)
})

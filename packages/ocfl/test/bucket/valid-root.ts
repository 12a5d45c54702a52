import { expect } from 'vitest'
import type { Inventory } from '../../src/inventory.ts'
import { hex } from '../root-folder.ts'

/* The rules of OCFL 1.1 that a killed write could break, checked on the keys of a root. */

/** Reasons why the root below a prefix is no valid OCFL root. */
export const invalidities = (texts: ReadonlyMap<string, string>, prefix: string): readonly string[] => {
  const names = new Map(
    [...texts].flatMap(([key, text]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), text] as const] : [],
    ),
  )
  const found: string[] = []
  if (names.get('0=ocfl_1.1') !== 'ocfl_1.1\n') found.push('the root has no declaration')
  const objects = Map.groupBy(
    [...names.keys()].filter((name) => name.includes('/') && !name.startsWith('extensions/')),
    (name) => name.split('/').slice(0, 4).join('/'),
  )
  for (const [object, files] of objects)
    found.push(
      ...ofObject(new Map(files.map((file) => [file.slice(object.length + 1), names.get(file)!]))).map(
        (reason) => `${object}: ${reason}`,
      ),
    )
  return found
}

const ofObject = (files: ReadonlyMap<string, string>): readonly string[] => {
  const found: string[] = []
  const left = new Set(files.keys())
  const has = (name: string): string | undefined => {
    left.delete(name)
    const text = files.get(name)
    if (text === undefined) found.push(`${name} is missing`)
    return text
  }
  has('0=ocfl_object_1.1')
  const text = has('inventory.json')
  if (text === undefined) return [...found, ...[...left].map((name) => `${name} is without an inventory`)]
  const inventory = JSON.parse(text) as Inventory
  if (!has('inventory.json.sha256')?.startsWith(hex(text))) found.push('the sidecar is of another inventory')
  for (const version of Object.keys(inventory.versions)) {
    const own = has(`${version}/inventory.json`)
    if (own !== undefined && !has(`${version}/inventory.json.sha256`)?.startsWith(hex(own)))
      found.push(`the sidecar of ${version} is of another inventory`)
    if (version === inventory.head && own !== text)
      found.push(`${version} has another inventory than the object`)
    if (own !== undefined && (JSON.parse(own) as Inventory).head !== version)
      found.push(`the inventory of ${version} is of another version`)
  }
  for (const [digest, paths] of Object.entries(inventory.manifest))
    for (const path of paths) if (hex(has(path) ?? '') !== digest) found.push(`${path} has other bytes`)
  return [...found, ...[...left].map((name) => `${name} belongs to no version`)]
}

export const expectValid = (texts: ReadonlyMap<string, string>, prefix: string): void =>
  expect(invalidities(texts, prefix)).toEqual([])

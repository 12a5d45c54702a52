import { posix } from 'node:path'
import { StorageRootError } from '../errors.ts'
import { hashAndId, hashed, isLayoutConfig, type LayoutConfig, layoutDescription } from './layout.ts'

/* Texts by which a storage root declares itself and its layout. */

export const rootDeclaration = '0=ocfl_1.1'
export const layoutFile = 'ocfl_layout.json'

type Extension = LayoutConfig['extensionName']

export const configOf = (extension: string): string => posix.join('extensions', extension, 'config.json')

/** Files of a new root by their paths, in the order in which they are written: the declaration is the last. */
export const rootFiles = (layout: LayoutConfig): readonly (readonly [path: string, text: string])[] => {
  const { extensionName } = layout
  const described = { extension: extensionName, description: layoutDescription[extensionName] }
  return [
    [configOf(extensionName), text(layout)],
    [layoutFile, text(described)],
    [rootDeclaration, 'ocfl_1.1\n'],
  ]
}

/** The layout that a root names. Throws `StorageRootError`. */
export const extensionIn = (found: string | undefined, root: string): Extension => {
  const { extension } = readJson(found, posix.join(root, layoutFile)) as { readonly extension?: unknown }
  if (extension === hashAndId || extension === hashed) return extension
  throw new StorageRootError(
    `${root} has the layout ${String(extension)}; only ${hashAndId} and ${hashed} are known`,
  )
}

/** The configuration of that layout. Throws `StorageRootError`. */
export const layoutIn = (found: string | undefined, extension: Extension, root: string): LayoutConfig => {
  const file = posix.join(root, configOf(extension))
  const config = readJson(found, file)
  if (!isLayoutConfig(config) || config.tupleSize * config.numberOfTuples > 32)
    throw new StorageRootError(`${file} is not a configuration of ${extension} that is known`)
  return config
}

const readJson = (found: string | undefined, file: string): unknown => {
  if (found === undefined) throw new StorageRootError(`${file} is not there`)
  try {
    return JSON.parse(found)
  } catch (error) {
    throw new StorageRootError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const text = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import { exists, isSystemError, namesIn, sync, syncFolders, writeSynced } from './disk.ts'
import { defaultLayout, hashAndId, hashed, LayoutConfig, layoutDescription } from './layout.ts'

/* A storage root: what says that a folder is one, and how objects stand in it. */

const declaration = '0=ocfl_1.1'
const layoutFile = 'ocfl_layout.json'
const configOf = (extension: string) => join('extensions', extension, 'config.json')

/** The folder cannot be used as a storage root; the message says why. */
export class StorageRootError extends Error {
  override readonly name = 'StorageRootError'
}

/** The layout of the root; a folder that is not there, or holds nothing, becomes a root. */
export const openRoot = async (root: string, layout: LayoutConfig = defaultLayout): Promise<LayoutConfig> => {
  const names = await namesIn(root)
  if (names.includes(declaration)) return readLayout(root)
  const other = names.find((name) => name.startsWith('0='))
  if (other) throw new StorageRootError(`${root} says ${other}: Fonds writes roots of OCFL 1.1`)
  if (names.length > 0)
    throw new StorageRootError(`${root} holds ${names[0]}, and nothing says that it is an OCFL storage root`)
  await createRoot(root, layout)
  return readLayout(root)
}

/** Made beside and moved to its place, so that a root is whole from the first moment. */
const createRoot = async (root: string, layout: LayoutConfig): Promise<void> => {
  await mkdir(dirname(root), { recursive: true })
  const next = join(dirname(root), `.${basename(root)}-${uuid()}`)
  const { extensionName } = layout
  try {
    await mkdir(dirname(join(next, configOf(extensionName))), { recursive: true })
    await writeSynced(join(next, configOf(extensionName)), text(layout))
    await writeSynced(
      join(next, layoutFile),
      text({ extension: extensionName, description: layoutDescription[extensionName] }),
    )
    await writeSynced(join(next, declaration), 'ocfl_1.1\n')
    await syncFolders(next)
    await rmdir(root).catch(unless('ENOENT'))
    await rename(next, root)
    await sync(dirname(root))
  } catch (error) {
    await rm(next, { recursive: true, force: true })
    // Another process was faster.
    if (!(await exists(join(root, declaration)))) throw error
  }
}

const readLayout = async (root: string): Promise<LayoutConfig> => {
  const { extension } = (await readJson(join(root, layoutFile))) as { readonly extension?: unknown }
  if (extension !== hashAndId && extension !== hashed)
    throw new StorageRootError(
      `${root} has the layout ${String(extension)}; Fonds knows ${hashAndId} and ${hashed}`,
    )
  const config = LayoutConfig.decode(await readJson(join(root, configOf(extension))))
  if (isLeft(config) || config.right.tupleSize * config.right.numberOfTuples > 32)
    throw new StorageRootError(
      `${join(root, configOf(extension))} is not a configuration of ${extension} that Fonds knows`,
    )
  return config.right
}

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error, 'ENOENT'))
      throw new StorageRootError(`${file} cannot be read: ${error.message}`)
    throw error
  }
}

const unless =
  (...codes: readonly string[]) =>
  (error: unknown): void => {
    if (!isSystemError(error, ...codes)) throw error
  }

const text = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

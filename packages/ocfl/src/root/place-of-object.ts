import { join } from 'node:path'
import { StorageRootError } from '../errors.ts'
import { type LayoutConfig, objectFolders } from './layout.ts'
import { readLayout } from './root.ts'

/**
 * Returns a function from an object's id to its place below a storage root; undefined while the folder is not
 * a root.
 */
export const placeOfObject = (root: string): ((object: string) => string | undefined) => {
  let layout: LayoutConfig | undefined
  return (object) => {
    try {
      layout ??= readLayout(root)
    } catch (error) {
      if (error instanceof StorageRootError) return undefined
      throw error
    }
    return join(root, ...objectFolders(object, layout))
  }
}

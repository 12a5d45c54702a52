/* Where objects stand in a storage root, and what says that a folder is one. */

export { defaultLayout, hashAndId, hashed, type LayoutConfig, objectFolders } from './root/layout.ts'
export { placeOfObject } from './root/place-of-object.ts'
export { ensureStorageRoot, readLayout, rootDeclaration } from './root/root.ts'

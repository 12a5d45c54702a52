/* Places of objects in a storage root, and the declaration of a root. */

export { rootDeclaration } from './root/declaration.ts'
export { defaultLayout, hashAndId, hashed, type LayoutConfig, objectFolders } from './root/layout.ts'
export { placeOfObject } from './root/place-of-object.ts'
export { ensureStorageRoot, readLayout } from './root/root.ts'

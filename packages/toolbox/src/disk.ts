export { makeFolder, makeFolderSync } from './make-folder.ts'
export { sync } from './sync.ts'

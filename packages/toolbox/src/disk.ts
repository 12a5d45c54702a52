export { makeFolder, makeFolderSync } from './make-folder.ts'
export { sync, syncAll } from './sync.ts'

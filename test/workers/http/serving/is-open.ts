import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Other systems do not say which files a process has open. */
export const cannotTell = process.platform !== 'linux'

/** Whether this process has the file open. */
export const isOpen = (path: string): boolean =>
  readdirSync('/proc/self/fd').some((fd) => {
    const link = join('/proc/self/fd', fd)
    return existsSync(link) && readlinkSync(link) === path
  })

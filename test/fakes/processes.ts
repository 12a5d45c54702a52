import { join } from 'node:path'
import { openWorkInProgress } from '../../infra/work-in-progress/work-in-progress.ts'
import type { ProcessLock } from '../../src/ports/process-lock.ts'

/** Processes on one folder of lock files that end when a test says so. */
export const processesOn = (folder: string) => {
  const ended = new Set<string>()
  let started = 0
  return {
    /** From now on no lock proves that any of them has ended. */
    bootAnew: () => ended.clear(),
    start: (stays: readonly string[] = []) => {
      const inode = String(++started)
      const mark = { file: join(folder, `${inode}.lock`), device: '1', inode, bootId: 'boot' }
      const processLock: Pick<ProcessLock, 'mark' | 'hasEnded'> = {
        mark: () => mark,
        hasEnded: ({ file }) => ended.has(file),
      }
      return {
        mark,
        inHand: openWorkInProgress(folder, processLock, stays),
        die: () => {
          ended.add(mark.file)
        },
      }
    },
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nodeFlags } from './node-flags.ts'

/** Roles on a home, in a process of their own. */
interface RolesApart {
  /** Seconds of processor that they took. */
  stop(): Promise<number>
}

/** Resolves when they are at work. */
export const startApart = async (home: string, ...roles: readonly string[]): Promise<RolesApart> => {
  const child = fork(join(import.meta.dirname, 'home-roles.ts'), [home, ...roles], { execArgv: nodeFlags })
  await once(child, 'message')
  return {
    stop: async () => {
      child.send('stop')
      const [seconds] = await once(child, 'message')
      return Number(seconds)
    },
  }
}

import { orThrow } from '../../async/unavailable.ts'
import { decider } from '../../domain/indexing/decide.ts'
import { fileOf, fileStream } from '../../domain/indexing/file.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { routeTo } from '../runtime/route.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

interface LostLinesDependencies {
  readonly states: StreamStates
  /** Refusals of the index, each kept until it is removed. */
  readonly refused: {
    list(): Promise<readonly string[]>
    read(name: string): Promise<Refused | undefined>
    remove(name: string): Promise<void>
    putAside(name: string): Promise<string>
  }
  readonly policy: Policy
  readonly log: { error(details: object, message: string): void }
}

interface Refused {
  readonly file: string
  readonly digest: string
  readonly reason: string
}

/** Files of one pass: after a folder was lost there may be as many as the archive has. */
const pageSize = 500

/** Has files read again whose recorded lines the index refused. Removes the refusal of a file once that is decided. */
export const lostLines = ({ states, refused, policy, log }: LostLinesDependencies): Overdue => ({
  name: 'indexing-lost-lines',
  passed: async (now) => {
    const passed: Passed[] = []
    for (const name of await refused.list()) {
      if (passed.length === pageSize) break
      const lost = await refused.read(name)
      if (!lost) {
        const kept = await refused.putAside(name)
        log.error({ kept }, 'cannot read which file the index refused the lines of; the record is put aside')
        continue
      }
      const file = fileOf(lost.file)
      const stream = fileStream(file)
      const { state } = await orThrow(() => states.load(decider, stream))
      if (state.status !== 'indexed' || state.recorded?.digest !== lost.digest) {
        await refused.remove(name)
        continue
      }
      const { digest, reason } = lost
      const command = { type: 'LoseLines', file, actor: 'ticker', at: now, digest, reason, policy } as const
      passed.push({ route: routeTo(decider, stream, command), causationId: `lost/${lost.file}/${name}` })
    }
    return passed
  },
})

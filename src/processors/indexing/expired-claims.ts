import { decider } from '../../domain/indexing/decide.ts'
import { type ArchiveFile, fileId, fileStream } from '../../domain/indexing/file.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { files } from '../../domain/indexing/views.ts'
import type { Silence } from '../../domain/kernel/lease.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Condition } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 500

interface ClaimRow extends Pick<Silence, 'fence' | 'deadline'> {
  readonly file: ArchiveFile
}

interface ExpiredClaimsDependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  /** How long a claim holds without a word. Only a clock that ran ahead sets a deadline further ahead. */
  readonly claimMillis: number
  readonly policy: Policy
}

/**
 * Expires claims whose deadline has passed, so that a file that kills workers gets parked. A deadline further ahead than a
 * claim holds comes from a clock that ran ahead: such a claim expires when its holder is silent for as long as it holds.
 */
export const expiredClaims = (deps: ExpiredClaimsDependencies): Overdue => {
  const { viewStore, clock, claimMillis, policy } = deps
  let watched: ReadonlyMap<string, Silence & { readonly since: number }> = new Map()

  const claimsWhose = (heldUntil: Condition<'heldUntil'>): readonly ClaimRow[] =>
    rowsIfFolded(viewStore, files, {
      where: [heldUntil],
      orderBy: [{ column: 'heldUntil' }],
      limit: pageSize,
    }).map(({ repository, name, fence, heldUntil: deadline }) => ({
      file: { repository, name },
      fence,
      deadline: deadline ?? '',
    }))

  const watch = ({ file, fence, deadline }: ClaimRow, now: number) => {
    const known = watched.get(fileId(file))
    const since = known?.fence === fence && known.deadline === deadline ? known.since : now
    return { fence, deadline, since, millis: now - since }
  }

  const silent = (ahead: readonly ClaimRow[], at: string): readonly Passed[] => {
    const now = clock.monotonic()
    watched = new Map(ahead.map((row) => [fileId(row.file), watch(row, now)]))
    return ahead.flatMap((row) => {
      const silence = watched.get(fileId(row.file))
      return silence && silence.millis >= claimMillis ? [expiry(row, policy, at, silence)] : []
    })
  }

  return {
    name: 'indexing-claims',
    passed: async (now) => [
      ...claimsWhose({ column: 'heldUntil', is: '<=', value: now }).map((row) => expiry(row, policy, now)),
      ...silent(claimsWhose({ column: 'heldUntil', is: '>', value: addMillis(now, claimMillis) }), now),
    ],
  }
}

const expiry = ({ file, fence }: ClaimRow, policy: Policy, at: string, silence?: Silence): Passed => ({
  route: routeTo(decider, fileStream(file), {
    type: 'ExpireClaim',
    file,
    actor: 'ticker',
    at,
    silence,
    policy,
  }),
  causationId: `expiry/${fileId(file)}/${fence}`,
})

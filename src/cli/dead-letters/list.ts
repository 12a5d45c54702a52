import { isLeft } from 'fp-ts/lib/Either.js'
import { parseWhere } from '../../app/view-question.ts'
import { is } from '../../domain/kernel/read-views.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import { letters } from '../../domain/kernel/views.ts'
import { deadLetters } from '../../projections/kernel/dead-letters.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'

interface ListOptions {
  readonly status: string
  readonly where?: readonly string[]
  readonly limit?: number
}

export const run = async (session: Session, options: ListOptions): Promise<CliFailure | undefined> => {
  const statuses = ['waiting', 'retried', 'discarded', 'all']
  if (!statuses.includes(options.status))
    return usage(`--status ${options.status} is none of ${statuses.join(', ')}`)
  const conditions = parseWhere(options.where ?? [], letters)
  if (isLeft(conditions)) return usage(conditions.left)
  const home = await session.home()
  await freshViews(session, home, [deadLetters])
  const asked =
    options.status === 'all' ? conditions.right : [...conditions.right, is('status', options.status)]
  const pages = pagesOf(home.viewStore, letters, {
    where: asked,
    orderBy: [{ column: 'at' }],
    ...(options.limit !== undefined && { limit: options.limit }),
  })
  await writeRows(session.output, pages, session.output.isTTY ? { columns } : {})
  return undefined
}

const columns = ['id', 'status', 'at', 'topic', 'key', 'reason', 'message'].map((key) => ({ key }))

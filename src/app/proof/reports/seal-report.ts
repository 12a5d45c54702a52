import { toBase64 } from '@fonds/tlog'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import { html } from '../../../domain/kernel/html.ts'
import {
  sealedReportEvents,
  sealedReportRecord,
  sealedReportStream,
} from '../../../domain/kernel/proof/statements.ts'
import { readOrStop } from '../../../processors/runtime/read-or-stop.ts'
import type { System } from '../../system.ts'
import type { SealerSystem } from '../open-sealer.ts'
import { openHead } from '../open-tree.ts'
import { ownTree } from '../own-tree.ts'
import { sealedStatement } from '../views/statement.ts'
import { openPage, rootOfLines, withProof } from './report-seal.ts'

interface Page {
  readonly report: string
  /** The question, as it was asked. */
  readonly question: string
  readonly page: string
}

/** Reports of others that may come between. */
const recent = 100

/**
 * Has a page stated in the log, waits until that is sealed, and returns the page with its proof. Left: why it has none. Throws
 * `UnavailableError`, `BrokenTree`, and errors of notes.
 */
export const sealReport = async (
  system: SealerSystem & Pick<System, 'execute'>,
  { report, question, page }: Page,
  signal?: AbortSignal,
): Promise<Either<string, string>> => {
  const { clock, eventStore, execute } = system
  const tree = await ownTree(system)
  if (tree.kind !== 'own') return left('the tree of the log, or its key, is not in this home')
  const head = openHead(tree.head.text, tree.verifiers)
  const [size, headRoot, at] = [`${head.size}`, toBase64(head.root), clock.now()]
  const lines = openPage(
    page,
    html`<footer><p class="quiet">Made at the signed head of ${size} leaves of <bdi>${head.origin}</bdi>, root <code>${headRoot}</code>, in answer to <code>${question}</code>.</p></footer>`
      .markup,
  )
  const sealed = rootOfLines(lines)
  await orThrow(() =>
    execute(sealedReportRecord, {
      stream: sealedReportStream,
      command: {
        ...{ type: 'Seal', actor: 'fonds/report', at },
        data: { report, question, head: { origin: head.origin, size, root: headRoot }, ...sealed, at },
      },
      causationId: `${sealed.root}/${at}`,
    }),
  )
  const events = await orThrow(eventStore.read(sealedReportStream, 'end', 'backward', recent))
  const event = events.find((one) => readOrStop(sealedReportEvents, one).data.root === sealed.root)
  const statement = event && (await sealedStatement(system, event, signal))
  return statement
    ? right(withProof(lines, sealed.root, statement))
    : left('it was not sealed within half a minute; `fonds doctor` says why')
}

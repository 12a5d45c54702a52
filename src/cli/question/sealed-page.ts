import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { canonicalJson } from '../../domain/kernel/proof/view-row.ts'
import type { About } from '../../projections/runtime/question.ts'
import type { Session } from '../context.ts'

/** A report with its proof, where this home has the tree of its log; else the page as it is. A failure is told, and the page has none. */
export const sealedPage = async (
  session: Session,
  name: string,
  page: string,
  { input, asOf }: Pick<About<Readonly<Record<string, unknown>>>, 'input' | 'asOf'>,
): Promise<string> => {
  if (!existsSync(join(session.config.proofFolder, 'checkpoint'))) return page
  const { sealReport } = await import('../../app/proof/reports/seal-report.ts')
  const question = `${name} ${canonicalJson(input)}${asOf === undefined ? '' : ` as of ${asOf}`}`
  const sealed = await sealReport(await session.system(), { report: name, question, page }, session.signal)
  if (!isLeft(sealed)) return sealed.right
  session.say(`the page carries no proof: ${sealed.left}`)
  return page
}

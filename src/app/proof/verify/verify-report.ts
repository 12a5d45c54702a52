import { isLeft } from 'fp-ts/lib/Either.js'
import { ReportSealed, sealedReportStream } from '../../../domain/kernel/proof/statements.ts'
import { partsOfReport, rootOfLines } from '../reports/report-seal.ts'
import { checkStatement } from './check-statement.ts'
import { UnreadableExport } from './export-files.ts'
import { createFindings, type Findings } from './findings.ts'
import { jsonIn, StatementParts } from './verify-view.ts'

/** Checks a report that carries its proof, offline. Throws `InvalidNote`, `UnreadableExport` where it carries none in its form. */
export const verifyReport = (text: string, policyText: string): Findings => {
  const findings = createFindings()
  const parts = partsOfReport(text)
  const statement = StatementParts.decode(jsonIn(parts?.statement ?? ''))
  if (!parts || isLeft(statement))
    throw new UnreadableExport('the file is no report that carries its proof, or something stands behind it')
  const sealed = checkStatement(
    {
      statement: statement.right,
      type: 'ReportSealed',
      codec: ReportSealed,
      streamOf: () => sealedReportStream,
      policyText,
    },
    findings,
  )
  if (!sealed) return findings
  const found = rootOfLines(parts.lines)
  if (found.root === sealed.root && parts.root === sealed.root && found.lines === sealed.lines) {
    findings.holds(
      `the report is the one that was sealed, to the letter: ${found.lines} lines that answer ${sealed.question}`,
    )
    findings.holds(`it was made at the head of ${sealed.head.size} leaves`)
    findings.unchecked('that what it shows follows from the events: whoever has the log asks again')
  } else
    findings.fails(
      `the report was changed: the root of its ${found.lines} lines is ${found.root}, sealed were ${sealed.lines} with ${sealed.root}`,
    )
  return findings
}

import { parseHash } from '@fonds/tlog'
import { isIncluded, leafHash } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { sealedViewStream, ViewSealed } from '../../../domain/kernel/proof/statements.ts'
import { checkStatement } from './check-statement.ts'
import { UnreadableExport, WellFormed } from './export-files.ts'
import { createFindings, type Findings } from './findings.ts'

export const StatementParts = t.type({ data: WellFormed, proof: t.string })

/** The file that `fonds proof view` writes. */
const ViewProof = t.intersection([
  t.type({ form: t.literal('fonds.view-proof/v1'), statement: StatementParts }),
  t.partial({ row: t.type({ index: t.Int, entry: WellFormed, proof: t.array(t.string) }) }),
])

export const viewProofText = (proof: t.OutputOf<typeof ViewProof>): string =>
  `${JSON.stringify(proof, undefined, 1)}\n`

/**
 * Checks what was stated of a view, and a row of it, offline. Throws `InvalidNote`, `UnreadableExport` for what is not of its form:
 * nothing is proven then.
 */
export const verifyView = (text: string, policyText: string): Findings => {
  const findings = createFindings()
  const parsed = ViewProof.decode(jsonIn(text))
  if (isLeft(parsed)) throw new UnreadableExport('the file is not of the form fonds.view-proof/v1')
  const { statement, row } = parsed.right
  const sealed = checkStatement(
    {
      statement,
      type: 'ViewSealed',
      codec: ViewSealed,
      streamOf: ({ view }) => sealedViewStream(view),
      policyText,
    },
    findings,
  )
  if (!sealed) return findings
  const { view, rows, position, program } = sealed
  findings.holds(
    `the archive stated that ${view} had ${rows} rows, folded up to position ${position} of its log by Fonds ${program.version}`,
  )
  if (row) checkRow(row, sealed, findings)
  findings.unchecked(
    `that the rows follow from the events: whoever has the log and the program (digest ${program.digest}) folds it again`,
  )
  return findings
}

const checkRow = (
  { index, entry, proof }: NonNullable<t.TypeOf<typeof ViewProof>['row']>,
  { view, rows, root: rootText }: ViewSealed,
  findings: Findings,
): void => {
  const root = parseHash(rootText)
  const hashes = proof.flatMap((text) => parseHash(text) ?? [])
  const isThere =
    root !== undefined &&
    hashes.length === proof.length &&
    entry.startsWith(`fonds.row/v1\n${JSON.stringify(view)}\n`) &&
    isIncluded({
      ...{ leaf: leafHash(Buffer.from(entry)), index: BigInt(index), size: BigInt(rows) },
      ...{ root, proof: hashes },
    })
  if (isThere) findings.holds(`row ${index} of them, counted from 0, is ${entry.split('\n')[2]}`)
  else findings.fails(`the row is not row ${index} of the ${rows} of ${view} that were stated`)
}

export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

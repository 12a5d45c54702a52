import { Option } from 'commander'
import type { QualityLine, StuckLine } from '../../projections/matching/answers.ts'
import type { Session } from '../context.ts'
import { defaultFormat, type Format, formats, writeRows } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'

export type { Format } from '../output/format.ts'

export const findingsFormat = (): Option =>
  new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats])

type Finding = StuckLine | QualityLine

/** Findings for programs; for people each with its whole sentence, which a column would cut. */
export const writeFindings = async (
  { output }: Session,
  findings: readonly Finding[],
  given: Format | undefined,
): Promise<void> => {
  const format = given ?? defaultFormat(output)
  if (format !== 'table') return writeRows(output, [findings.map((finding) => ({ ...finding }))], { format })
  const lines = findings.flatMap((finding) => [
    `${finding.what}  ${visible(finding.id)}  ${extent(finding)}`,
    `  ${visible(finding.says)}`,
  ])
  await output.write(lines.map((line) => `${line}\n`).join(''))
}

const extent = (finding: Finding): string =>
  'since' in finding ? `since ${finding.since}` : plural(finding.weight, 'work')

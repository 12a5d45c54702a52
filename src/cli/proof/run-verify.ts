import { readFile, stat } from 'node:fs/promises'
import { InvalidNote } from '@fonds/tlog'
import { isSystemError } from '@fonds/toolbox'
import { isLeft } from 'fp-ts/lib/Either.js'
import { policyOf } from '../../app/proof/policy.ts'
import { isReport } from '../../app/proof/reports/report-seal.ts'
import { textOf, UnreadableExport } from '../../app/proof/verify/export-files.ts'
import type { Findings } from '../../app/proof/verify/findings.ts'
import { verifyExport } from '../../app/proof/verify/verify-export.ts'
import { verifyProof } from '../../app/proof/verify/verify-proof.ts'
import { verifyReport } from '../../app/proof/verify/verify-report.ts'
import { verifyView } from '../../app/proof/verify/verify-view.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'
import { ownTree } from './own-tree.ts'

interface VerifyOptions {
  readonly policy?: string
}

export const run = async (
  session: Session,
  path: string,
  { policy }: VerifyOptions,
): Promise<CliFailure | undefined> => {
  try {
    const text = policy === undefined ? undefined : await readFile(policy, 'utf8')
    const isFolder = (await stat(path)).isDirectory()
    return isFolder ? await verifyFolder(session, path, text) : await verifyFile(session, path, text)
  } catch (error) {
    if (error instanceof InvalidNote)
      return refused(`${path}, or the policy, ${error.message}`, 'nothing is proven')
    if (error instanceof UnreadableExport) return refused(error.message, 'nothing is proven')
    if (isSystemError(error)) return usage(error.message)
    throw error
  }
}

const verifyFolder = async (session: Session, folder: string, policy: string | undefined) => {
  const progress = session.progress('Checking the export')
  const findings = await verifyExport(folder, {
    ...(policy !== undefined && { policy }),
    onProgress: (leaves, of) => progress.part(leaves / of),
    signal: session.signal,
  }).finally(() => progress.done())
  return show(session, folder, findings)
}

const verifyFile = async (session: Session, file: string, policy: string | undefined) => {
  const text = await textOf(file)
  const verify = text.startsWith('{') ? verifyView : isReport(text) ? verifyReport : verifyProof
  if (policy !== undefined) return show(session, file, verify(text, policy))
  const tree = await ownTree(await session.system())
  if (isLeft(tree))
    return usage(
      'whose key is to be believed?',
      '--policy <file>, as `fonds proof key --policy` of the archive writes it',
    )
  const findings = verify(text, policyOf(tree.right.verifiers, undefined, tree.right.retired))
  findings.unchecked('that the keys are the right ones: they are those of this home')
  return show(session, file, findings)
}

const words = { holds: 'holds', fails: 'DOES NOT HOLD', unchecked: 'not checked' } as const

const show = async (session: Session, path: string, findings: Findings): Promise<CliFailure | undefined> => {
  const { output } = session
  await output.write(
    findings.all
      .map((one) => (output.isTTY ? `${words[one.kind]}: ${visible(one.sentence)}.\n` : `${jsonText(one)}\n`))
      .join(''),
  )
  return findings.failures === 0
    ? undefined
    : refused(`${plural(findings.failures, 'finding')} against ${path}`, 'it does not prove what it should')
}

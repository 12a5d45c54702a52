import { verifierKey } from '@fonds/tlog/compute'
import { policyOf } from '../../app/proof/policy.ts'
import type { Session } from '../context.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { onOwnTree } from './own-tree.ts'

interface KeyOptions {
  readonly policy?: boolean
}

export const run = async (
  session: Session,
  { policy = false }: KeyOptions,
): Promise<CliFailure | undefined> =>
  onOwnTree(await session.system(), async ({ verifiers }) => {
    const { output } = session
    const rows = verifiers.map((verifier) => ({ type: verifier.type, key: verifierKey(verifier) }))
    await output.write(
      policy
        ? policyOf(verifiers)
        : rows.map((row) => (output.isTTY ? `${row.type}\n${row.key}\n` : `${jsonText(row)}\n`)).join(''),
    )
    return undefined
  })

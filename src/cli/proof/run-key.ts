import { verifierKey } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { policyOf } from '../../app/proof/policy.ts'
import { replaceKeys } from '../../workflows/system/workflow.ts'
import type { Session } from '../context.ts'
import { byOf, dispatchOnce } from '../do/dispatch-once.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { onOwnTree } from './own-tree.ts'

interface KeyOptions {
  readonly policy?: boolean
  readonly rotate?: boolean
  readonly actor?: string
  readonly reason?: string
}

export const run = async (session: Session, options: KeyOptions): Promise<CliFailure | undefined> => {
  if (options.rotate) return rotate(session, options)
  if (options.actor !== undefined || options.reason !== undefined)
    return usage(
      '--actor and --reason are of --rotate',
      'fonds proof key --rotate --actor <you> --reason <why>',
    )
  return onOwnTree(await session.system(), async ({ verifiers, retired }) => {
    const { output } = session
    const rows = verifiers.map((verifier) => ({ type: verifier.type, key: verifierKey(verifier) }))
    await output.write(
      options.policy
        ? policyOf(verifiers, undefined, retired)
        : rows.map((row) => (output.isTTY ? `${row.type}\n${row.key}\n` : `${jsonText(row)}\n`)).join(''),
    )
    return undefined
  })
}

const rotate = async (session: Session, { actor, reason }: KeyOptions): Promise<CliFailure | undefined> => {
  const example = 'fonds proof key --rotate --actor <you> --reason <why>'
  const by = byOf({ ...(actor && { actor }), ...(reason && { reason }), key: undefined }, example)
  if (isLeft(by)) return by.left
  const given = await dispatchOnce(session, replaceKeys, {}, by.right)
  if (isLeft(given)) return given.left
  await session.output.write(
    session.output.isTTY
      ? 'New keys are named in the log. The sealer of `fonds start` signs with both within ten seconds, and with the old ones for thirty days more. Then give `fonds proof key --policy` to whoever checks proofs.\n'
      : `${jsonText({ named: true })}\n`,
  )
  return undefined
}

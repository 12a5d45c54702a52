import { InvalidNote, UntrustedNote } from '@fonds/tlog'
import { errorMessage } from '../../async/errors.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { isActive } from '../../domain/kernel/lease.ts'
import { DAY, HOUR } from '../../domain/kernel/time.ts'
import { leaderLeaseOf } from '../../processors/runtime/leader-lease-of.ts'
import { sealerLease } from '../../processors/runtime/tree-mark.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { checkStateOf } from '../proof/check/check-state.ts'
import { examineHead } from '../proof/examine-head.ts'
import { BrokenTree } from '../proof/open-tree.ts'
import type { System } from '../system.ts'

const check = 'proof'
const replace = 'put back what was there, or begin a new tree: fonds do proof.replace-tree'

/** Whether the log has all that its Merkle tree says of it, by the newest leaf; `fonds proof check` reads all. */
export const proof = async (system: System): Promise<Finding> => {
  try {
    const found = await examineHead(system)
    switch (found.kind) {
      case 'none':
        return ok(check, 'the log has no Merkle tree yet')
      case 'elsewhere':
        return elsewhere(system, found.origin)
      case 'headless':
        return fail(check, found.reason, replace)
      case 'keyless':
        return fail(check, `the key of the Merkle tree is not in ${found.keyFolder}`, replace)
      case 'behind':
        return fail(
          check,
          found.reason,
          'put back the log that has it, or begin a new tree: fonds do proof.replace-tree',
        )
      case 'sealed': {
        const age = Date.parse(system.clock.now()) - Date.parse(found.at)
        const { differences = [], wholeAt } =
          (await checkStateOf(await system.proofLog(), found.origin)) ?? {}
        const [first] = differences
        if (first !== undefined)
          return fail(
            check,
            `the log is not what was sealed: ${first}`,
            '`fonds proof check` names all differences; compare with a backup, and keep both',
          )
        const sentence = `the head of ${found.at} seals ${plural(found.size, 'event')}${wholeAt ? `, all compared with the log by ${wholeAt}` : ''}`
        return age > DAY + HOUR
          ? warn(check, sentence, 'a head is signed each day: run `fonds start` with the role sealer')
          : ok(check, sentence)
      }
    }
  } catch (error) {
    if (error instanceof UnavailableError) return warn(check, error.message, 'ask again when it answers')
    if (error instanceof BrokenTree || error instanceof InvalidNote || error instanceof UntrustedNote)
      return fail(check, `the Merkle tree: ${errorMessage(error)}`, replace)
    throw error
  }
}

/** A home that was restored from a backup has neither tree nor key: nobody seals until a person has acted. */
const elsewhere = async (system: System, origin: string): Promise<Finding> => {
  const { lease } = await leaderLeaseOf(system, sealerLease)
  const sentence = `the Merkle tree ${origin} of the log is in another home`
  return isActive(lease, system.clock.now())
    ? ok(check, sentence)
    : warn(
        check,
        `${sentence}, and no process seals`,
        'start the home that has it; where this one was restored from a backup, begin a new tree: fonds do proof.replace-tree',
      )
}

import type { Policy } from '@fonds/tlog'
import { InvalidSetting } from '../../async/errors.ts'
import type { System } from '../system.ts'

/** The policy that names whom this home asks. One that cannot be read keeps nobody from a proof: `reason` has its fault. */
export const usablePolicy = async ({
  proofPolicy,
}: Pick<System, 'proofPolicy'>): Promise<{
  readonly policy: Policy | undefined
  readonly reason?: string
}> => {
  try {
    return { policy: await proofPolicy() }
  } catch (error) {
    if (error instanceof InvalidSetting) return { policy: undefined, reason: error.message }
    throw error
  }
}

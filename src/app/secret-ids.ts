import { v5 as uuidv5 } from 'uuid'
import { orThrow } from '../async/unavailable.ts'
import type { Sealing } from './sealed-by.ts'

/** UUIDv5 namespace of what is made of the archive's secret. */
const namespace = 'b0f5a1c3-7d54-5a0c-9f2e-3f1f6c1de8b7'

/**
 * Ids that are made of contents lead back to these: whoever knows the rest tries likely names. Where the archive keeps personal values
 * by reference, a secret of its own is a part of them; else they stay as they are. Throws `UnavailableError`.
 */
export const secretIds = async ({ config, personal }: Sealing): Promise<(id: string) => string> => {
  if (config.personalValues === 'off') return (id) => id
  const [secret] = await orThrow(personal.marks(['ids of contents']), 'personal values')
  const own = uuidv5(secret!, namespace)
  return (id) => uuidv5(id, own)
}

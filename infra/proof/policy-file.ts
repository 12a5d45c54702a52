import { readFile } from 'node:fs/promises'
import { InvalidNote, type Policy, parsePolicy } from '@fonds/tlog'
import { parseVerifierKey } from '@fonds/tlog/compute'
import { errorMessage, InvalidSetting } from '../../src/async/errors.ts'

/** Throws `InvalidSetting` for a file that is no policy, or an address that is none. */
export const readPolicyFile = async (file: string): Promise<Policy> => {
  try {
    const policy = parsePolicy(await readFile(file, 'utf8'))
    for (const [name, { key, url }] of policy.witnesses) {
      parseVerifierKey(key)
      if (url !== undefined && !isAddress(url))
        throw new InvalidNote(`gives ${name} an address that is not https://… without a login`)
    }
    return policy
  } catch (error) {
    const why = error instanceof InvalidNote ? error.message : `cannot be read: ${errorMessage(error)}`
    throw new InvalidSetting(`proofPolicy: ${file} ${why}`)
  }
}

const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

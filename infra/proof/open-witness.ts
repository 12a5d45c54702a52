import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidNote, parsePolicy, type Verifier } from '@fonds/tlog'
import { cosigner, parseVerifierKey, verifierKey } from '@fonds/tlog/compute'
import { errorMessage, InvalidSetting } from '../../src/async/errors.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { OpenedWitness } from '../../src/ports/witness.ts'
import { makeKeys } from './keys.ts'
import { openWitness } from './witness.ts'

interface WitnessSettings {
  /** Keys and state. It is in no backup: an older state could cosign a second history. */
  readonly folder: string
  readonly name: string
  /** File of lines `log <verifier key>`. */
  readonly logsFile: string
}

/** Opens this archive's witness, with keys of its own. Throws `InvalidSetting` for a file of logs that is none. */
export const openWitnessIn = async (
  { folder, name, logsFile }: WitnessSettings,
  clock: Pick<Clock, 'now'>,
): Promise<OpenedWitness> => {
  const logs = await readLogs(logsFile)
  const { ed25519, mlDsa44 } = await makeKeys(folder)
  const seconds = () => Math.floor(Date.parse(clock.now()) / 1000)
  const signers = [ed25519, ...(mlDsa44 ? [mlDsa44] : [])].map((key) => cosigner(name, key, seconds))
  const keysOf = (origin: string): readonly Verifier[] | undefined => logs.get(origin)
  const witness = openWitness(join(folder, 'witness.db'), { keysOf, signers, now: clock.now })
  return { ...witness, keys: signers.map(({ verifier }) => verifierKey(verifier)), origins: [...logs.keys()] }
}

/** Keys by origin: a log may have several. */
const readLogs = async (file: string): Promise<ReadonlyMap<string, readonly Verifier[]>> => {
  const logs = new Map<string, readonly Verifier[]>()
  try {
    const text = await readFile(file, 'utf8')
    // Policies of partners may stand one behind the other: their quorums are for those who check proofs.
    const { logs: lines } = parsePolicy(`${text.replaceAll(/^[ \t]*quorum[ \t].*$/gm, '')}\nquorum none\n`)
    for (const { key } of lines) {
      const verifier = parseVerifierKey(key)
      logs.set(verifier.name, [...(logs.get(verifier.name) ?? []), verifier])
    }
  } catch (error) {
    const why = error instanceof InvalidNote ? error.message : `cannot be read: ${errorMessage(error)}`
    throw new InvalidSetting(`witnessLogs: ${file} ${why}; it has a line \`log <verifier key>\` for each log`)
  }
  if (logs.size > 0) return logs
  throw new InvalidSetting(`witnessLogs: ${file} names no log; it has a line \`log <verifier key>\` for each`)
}

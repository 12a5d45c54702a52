import { createHash } from 'node:crypto'
import { betanumeric, checkCharacter } from '../../../domain/ingest/ark.ts'

const nameLength = 9

/**
 * Returns the ARK that a job should try to reserve: a name in NOID's alphabet, with its check character. It is derived
 * from the job, so that a worker that takes over after a crash finds the reserved one. `attempt`: from 0.
 */
export const chooseArk = (
  shoulder: string,
  { batch, job }: { readonly batch: string; readonly job: number },
  attempt: number,
): string => {
  const hash = createHash('sha256').update(`${shoulder}\n${batch}\n${job}\n${attempt}`).digest('hex')
  const name = `${shoulder.replace(/^ark:\/?/, '')}${betanumericOf(BigInt(`0x${hash}`))}`
  return `ark:/${name}${checkCharacter(name)}`
}

const base = BigInt(betanumeric.length)

const betanumericOf = (number: bigint): string => {
  let text = ''
  for (let rest = number; text.length < nameLength; rest /= base) text += betanumeric[Number(rest % base)]
  return text
}

import { timingSafeEqual } from 'node:crypto'
import { orThrow } from '../../async/unavailable.ts'
import { binaryAttributes } from '../../domain/kernel/envelope.ts'
import { decodeUtf8 } from '../../domain/kernel/json-text.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'

/*
 * References that a sender types are texts like any other. Those that the archive put into a message are told from them by a mark,
 * a header that is made with the archive's key of the whole message: it cannot be made elsewhere, nor moved to another message.
 */

export const markHeader = 'fonds-sealed'

type Marking = { readonly personal: Pick<PersonalValues, 'marks'> }
type Marked = Pick<ProducerRecord, 'topic' | 'key' | 'headers' | 'value'>

/** The mark of each record, in the same order. Throws `UnavailableError`. */
export const marksOf = async (
  { personal }: Marking,
  records: readonly Marked[],
): Promise<readonly string[]> =>
  records.length === 0 ? [] : orThrow(personal.marks(records.map(markedText)), 'personal values')

/** Those of the records that have the archive's mark. Throws `UnavailableError`. */
export const markedAmong = async <Record extends Marked>(
  marking: Marking,
  records: readonly Record[],
): Promise<ReadonlySet<Record>> => {
  const claimed = records.filter(({ headers }) => headers[markHeader] !== undefined)
  const marks = await marksOf(marking, claimed)
  return new Set(claimed.filter(({ headers }, i) => isSame(headers[markHeader]!, marks[i]!)))
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const markedText = ({ topic, key, headers, value }: Marked): string => {
  const { id = null, source = null, type = null } = binaryAttributes(headers)
  const text = typeof value === 'string' ? value : (decodeUtf8(value) ?? null)
  return JSON.stringify([topic, key, id, source, type, text])
}

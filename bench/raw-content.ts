/* The message `content.recorded`, checked by hand for all that its topic asks of it. */

export interface Headers {
  readonly ce_id: string
  readonly ce_source: string
  readonly ce_type: string
  readonly ce_time: string
  readonly ce_correlationid?: string
}

export interface Content {
  readonly store: string
  readonly path: string
  readonly checksums: readonly { readonly algorithm: string; readonly value: string }[]
  readonly size: number
}

const isWord = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= 1024 &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value)

const isPath = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= 4096 &&
  value.isWellFormed() &&
  !/\0|(^|\/)\.{0,2}(\/|$)/.test(value)

const isChecksum = ({ algorithm, value }: Content['checksums'][number]): boolean =>
  algorithm === 'sha-256' && value.length === 64 && /^[0-9a-f]+$/.test(value)

/** What the topic takes: anything else would be a dead letter. */
export const check = (
  { ce_id, ce_source, ce_type, ce_time }: Headers,
  content: Content,
  key: unknown,
): void => {
  const { store, path, checksums, size } = content
  const isTaken =
    [ce_id, ce_source].every(isWord) &&
    ce_type === 'content.recorded' &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(ce_time) &&
    /^[\w.-]{1,64}$/.test(store) &&
    isPath(path) &&
    key === `${store}/${path}` &&
    checksums.every(isChecksum) &&
    Number.isSafeInteger(size) &&
    size >= 0
  if (!isTaken) throw new Error(`${ce_type} ${ce_id} is none of these messages`)
}

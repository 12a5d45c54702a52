/** A line of `fonds doctor`. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  /** The result of the check. */
  readonly says: string
  /** Advice. */
  readonly todo?: string
}

export const ok = (check: string, sentence: string): Finding => ({ check, status: 'ok', says: sentence })
export const warn = (check: string, sentence: string, todo: string): Finding => ({
  check,
  status: 'warn',
  says: sentence,
  todo,
})
export const fail = (check: string, sentence: string, todo: string): Finding => ({
  check,
  status: 'fail',
  says: sentence,
  todo,
})

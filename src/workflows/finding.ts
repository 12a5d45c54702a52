/** A line of `fonds doctor`. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  /** The result of the check. */
  readonly says: string
  /** Advice. */
  readonly todo?: string
}

export const ok = (check: string, says: string): Finding => ({ check, status: 'ok', says })
export const warn = (check: string, says: string, todo: string): Finding => ({
  check,
  status: 'warn',
  says,
  todo,
})
export const fail = (check: string, says: string, todo: string): Finding => ({
  check,
  status: 'fail',
  says,
  todo,
})

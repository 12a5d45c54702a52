/** A line of `fonds doctor`. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  /** What was found. */
  readonly says: string
  /** What to do about it. */
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

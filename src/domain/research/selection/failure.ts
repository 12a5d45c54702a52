import type { Timed } from './deadlines.ts'

/** A failure that backs off until `retryAt`; without one it is parked until a person wants it tried again. */
export class Failure implements Timed {
  queued: string | undefined
  readonly retryAt: string | undefined
  #over: (() => void) | undefined

  constructor(retryAt: string | undefined, over: () => void) {
    this.retryAt = retryAt
    this.#over = over
  }

  due(): string | undefined {
    return this.#over && this.retryAt
  }

  pass(): void {
    const over = this.#over
    this.forget()
    over?.()
  }

  /** It backs off no more. */
  forget(): void {
    this.#over = undefined
  }
}

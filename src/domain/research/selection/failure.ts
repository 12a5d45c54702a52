import type { Timed } from './deadlines.ts'

/** Why something is held back for a while, or, without `retryAt`, until a person says so. */
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

  /** It holds nothing back any more. */
  forget(): void {
    this.#over = undefined
  }
}

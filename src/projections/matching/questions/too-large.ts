import { count } from '../../../domain/kernel/amounts.ts'

/** A question that concerns more works than whoever asks has time for. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'

  constructor(work: string, most: number) {
    super(`${work} is linked with more than ${count(most)} works, too many to look through`)
  }
}

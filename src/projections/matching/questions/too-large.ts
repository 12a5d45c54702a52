import { count } from '../../../domain/kernel/amounts.ts'

/** The question concerns more works than the caller allows. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'

  constructor(work: string, most: number) {
    super(`${work} is linked with more than ${count(most)} works, too many to look through`)
  }
}

import { right } from 'fp-ts/lib/TaskEither.js'
import type { Minter } from '../../src/ports/minter.ts'

/** Identifiers that no resolver knows: the log alone keeps who has which. */
export const createNoidMinter = (): Minter => ({ register: () => right(undefined) })

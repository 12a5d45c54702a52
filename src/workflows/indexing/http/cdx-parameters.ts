import * as t from 'io-ts'
import type { HttpAddress } from '../../http-address.ts'
import { cdxWords } from './cdx-words.ts'

/** Dialects decode them themselves: of repeated ones, some take all, and some the first. */
const Words = t.union([t.string, t.readonlyArray(t.string)])

export const cdxParameters: HttpAddress['parameters'] = Object.entries(cdxWords).map(
  ([name, description]) => ({ name, in: 'query', description, codec: Words }),
)

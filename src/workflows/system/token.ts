import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'

/** Short secrets can be guessed: programs try millions. */
export const Token = t.refinement(
  Text,
  (s) => s.length >= 16,
  'token of 16 characters or more (`openssl rand -hex 32` makes a good one)',
)

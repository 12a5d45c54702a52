import { it } from 'vitest'
import { expectJoined } from './pieces.ts'

it('10,000 works, in pieces, parted and joined again', () => expectJoined(10_000, 1000))

import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger } from '../kernel/codecs.ts'

/** It is joined to a path. */
const name = /^r-[\w-]{1,100}$/
const RunName = annotate(
  t.refinement(t.string, (text) => name.test(text), 'name of a run'),
  { pattern: name.source },
)

/** A sorted run that a worker wrote into the folder of the index, with the keys of its first and its last line. */
export const RunPlace = t.type(
  { name: RunName, bytes: NonNegativeInteger, first: t.string, last: t.string },
  'run',
)
export type RunPlace = t.TypeOf<typeof RunPlace>

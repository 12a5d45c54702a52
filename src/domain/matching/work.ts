import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { Text } from '../kernel/codecs.ts'
import { streamName } from '../kernel/event.ts'
import { idCodec, whyInvalidId } from '../kernel/id.ts'

/** Category of the streams that hold what was said of a work: one stream a work. */
export const category = 'work'

export const workStream = (id: string): string => streamName(category, id)

export const maxIdLength = 2000

/** The id by which records name a work. */
export const WorkId = idCodec('work id', maxIdLength)

/** Why a text cannot name a work; undefined where it can. */
export const whyInvalidWorkId = (id: string): string | undefined => whyInvalidId(id, maxIdLength)

const maxSourceLength = 200

/** The catalogue that owns a record. Rules, rejections and every row of a work name it. */
export const Source = annotate(
  t.refinement(Text, (s) => s.length <= maxSourceLength, `source of 1 to ${maxSourceLength} characters`),
  { maxLength: maxSourceLength },
)

/** `deleted` is upstream's "suppressed": it cuts the links through it and keeps its own, for when it comes back. */
export const WorkState = t.keyof({ visible: null, invisible: null, deleted: null }, 'work state')
export type WorkState = t.TypeOf<typeof WorkState>

/** The order of ids everywhere: by code unit, so that it is the same on every machine. */
export const byId = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { ClipId, EpisodeId, Priority, shortText } from '../../domain/research/terms.ts'
import { exactlyOne, has } from '../runtime/exactly-one.ts'

/*
 * Inputs of operators' commands. They are stricter than stored commands: if one name is expected, a second one would be
 * ignored.
 */

const subject = { episode: EpisodeId, clip: ClipId }

export const EpisodeOrClip = exactlyOne(t.partial(subject), ['episode', 'clip'])
export type EpisodeOrClip = t.TypeOf<typeof EpisodeOrClip>

const Curator = shortText(200)
export const EpisodeClipOrCurator = exactlyOne(t.partial({ ...subject, curator: Curator }), [
  'episode',
  'clip',
  'curator',
])

export const NewPriority = exactlyOne(
  t.intersection([t.type({ priority: t.union([Priority, t.null]) }), t.partial(subject)]),
  ['episode', 'clip'],
)

const choices = ['episode', 'clip', 'engine']

/** Reopening everything is a great deal of work: `all` must say so. */
export const Reopening = annotate(
  t.refinement(
    t.partial({ ...subject, engine: shortText(50), version: shortText(50), all: t.boolean }),
    (input) =>
      has(input, 'engine') === has(input, 'version') &&
      (input.all === true) === choices.every((name) => !has(input, name)),
    'episode, clip, engine with its version, or some of them; all: true alone for everything',
  ),
  {
    dependentRequired: { engine: ['version'], version: ['engine'] },
    oneOf: [
      {
        required: ['all'],
        properties: { all: { const: true }, ...Object.fromEntries(choices.map((name) => [name, false])) },
      },
      {
        anyOf: choices.map((name) => ({ required: [name], properties: { [name]: true } })),
        properties: { all: { const: false } },
      },
    ],
  },
)

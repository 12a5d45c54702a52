import type { Came, Json, Step } from './record.ts'

/* Two forms of the same answers: what came, and what the record says came. */

/** `some position` in the record is any; and of a batch call with several appends it names all after one event. */
export const fitting = (step: Step, came: Came, recorded: Came): { came: Json; recorded: Json } => {
  const isBatch = step.call === 'batchAppend' && new Set(step.parts.map(({ c }) => c)).size > 1
  const [ours, theirs] = [came, recorded].map((one) => ordered(isBatch ? unplaced(one) : one))
  return { came: masked(ours, theirs), recorded: theirs }
}

/** Answers of a batch come in any order. */
const ordered = ({ answers, ...rest }: Came): Json =>
  answers
    ? {
        ...rest,
        answers: answers.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
      }
    : rest

const isPlace = (json: Json): boolean =>
  json === anyPosition || (typeof json === 'string' && /^P\(/.test(json))
const anyPosition = 'some position'

const unplaced = (came: Came): Came =>
  JSON.parse(JSON.stringify(came, (_, json: Json) => (isPlace(json) ? anyPosition : json)))

/** With `some position` wherever the record has it and we have a position, too. */
const masked = (ours: Json, theirs: Json): Json => {
  if (theirs === anyPosition && isPlace(ours)) return anyPosition
  if (isList(ours) && isList(theirs)) return ours.map((one, i) => masked(one, theirs[i]))
  if (!isObject(ours) || !isObject(theirs)) return ours
  return Object.fromEntries(Object.entries(ours).map(([key, one]) => [key, masked(one, theirs[key])]))
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)
const isObject = (json: Json): json is { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !isList(json)

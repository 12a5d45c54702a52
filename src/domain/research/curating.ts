import * as E from 'fp-ts/lib/Either.js'
import { type EventsOf, eventSet } from '../kernel/event-set.ts'
import type { Rejection } from '../kernel/rejection.ts'
import { earlier } from '../kernel/time.ts'
import { curationSpecs, type Details } from './curation.ts'
import type { Curate, CurationCommand, Place, Prioritise, Withdraw } from './curation-commands.ts'

/* The curation of an episode or a clip: their common state, events and commands. */

const curationEvents = eventSet(...curationSpecs)
export type CurationEvent = EventsOf<typeof curationEvents>

export interface CurationRejection extends Rejection {
  readonly code: 'older-sighting' | 'never-curated'
}

interface Curation {
  /** From the latest sighting. */
  readonly details: Details
  /** Time of the latest sighting. */
  readonly curatedAt: string
  readonly withdrawn: boolean
  /** Set by a person; null: the curator's priority applies. */
  readonly priority: number | null
  readonly pinned: boolean
  readonly excluded: boolean
}

/** Undefined until a curator has seen it. */
export type Curated = Curation | undefined

/** Its name in messages. */
type Noun = 'episode' | 'clip'

export const evolveCuration = (known: Curated, { type, data }: CurationEvent): Curated => {
  if (type === 'Curated')
    return {
      details: detailsOf(data),
      curatedAt: data.curatedAt,
      withdrawn: false,
      priority: null,
      pinned: false,
      excluded: false,
    }
  if (!known) return known
  switch (type) {
    case 'Recurated':
      return { ...known, curatedAt: data.curatedAt }
    case 'Amended':
      return { ...known, details: detailsOf(data), curatedAt: data.curatedAt, withdrawn: false }
    case 'Withdrawn':
      return { ...known, withdrawn: true }
    case 'Prioritised':
      return { ...known, priority: data.priority }
    case 'Pinned':
    case 'Unpinned':
      return { ...known, pinned: type === 'Pinned' }
    case 'Excluded':
    case 'Included':
      return { ...known, excluded: type === 'Excluded' }
  }
}

type Decision = E.Either<CurationRejection, readonly CurationEvent[]>

export const decideCuration = (command: CurationCommand, known: Curated, noun: Noun): Decision => {
  if (command.type === 'Curate') return known ? seenAgain(command, known, noun) : seenFirst(command)
  if (!known) return neverCurated(noun)
  switch (command.type) {
    case 'Withdraw':
      return withdraw(command, known)
    case 'Prioritise':
      return prioritise(command, known)
    default:
      return place(command, known)
  }
}

export const neverCurated = (noun: Noun): E.Either<CurationRejection, never> =>
  E.left({
    code: 'never-curated',
    message: `no curator has seen this ${noun}; check its id, or send it on fonds.research.${noun}s first`,
  })

/** The first date orders for ever (L16): a curator's clock that runs ahead must not set it. */
const seenFirst = ({ details, curatedAt, firstCuratedAt, at }: Curate): Decision =>
  E.right([
    {
      type: 'Curated',
      data: {
        ...detailsOf({ ...details, priority: details.priority ?? 0 }),
        firstCuratedAt: earlier(firstCuratedAt ?? curatedAt, at),
        curatedAt: earlier(curatedAt, at),
        at,
      },
    },
  ])

/** Sightings count in the order of their dates; of those with equal dates the last received counts. */
const seenAgain = (command: Curate, known: Curation, noun: Noun): Decision => {
  const { at } = command
  const curatedAt = earlier(command.curatedAt, at)
  if (curatedAt < known.curatedAt)
    return E.left({
      code: 'older-sighting',
      message: `this ${noun} was curated at ${known.curatedAt}, so a message of ${curatedAt} is not taken; if it is the newer one, send it with a later curatedAt`,
      details: { offered: curatedAt, held: known.curatedAt },
    })
  const details = detailsOf({
    ...command.details,
    priority: command.details.priority ?? 0,
    foreign: isStrange(command.details, known.details),
  })
  if (known.withdrawn || !isSame(details, known.details))
    return E.right([{ type: 'Amended', data: { ...details, curatedAt, at } }])
  return E.right(curatedAt === known.curatedAt ? [] : [{ type: 'Recurated', data: { curatedAt, at } }])
}

/** A foreign sighting that repeats media named by this machine does not make them foreign. */
const isStrange = ({ mediaUri, foreign }: Curate['details'], known: Details): boolean =>
  foreign === true && (known.foreign === true || mediaUri !== known.mediaUri)

/**
 * True if the media have another address, or are no longer foreign. Failures are then forgotten: they may be due to the
 * old address or origin.
 */
export const mediaMoved = (known: Curated, events: readonly CurationEvent[]): boolean =>
  events.some(
    ({ type, data }) =>
      type === 'Amended' &&
      (data.mediaUri !== known?.details.mediaUri || (known.details.foreign === true && !data.foreign)),
  )

const withdraw = ({ curator, reason, at }: Withdraw, { withdrawn }: Curation): Decision =>
  E.right(
    withdrawn ? [] : [{ type: 'Withdrawn', data: { curator, at, ...(reason !== undefined && { reason }) } }],
  )

const prioritise = ({ priority, reason, at }: Prioritise, known: Curation): Decision =>
  E.right(priority === known.priority ? [] : [{ type: 'Prioritised', data: { priority, reason, at } }])

const place = ({ type, reason, at }: Place, { pinned, excluded }: Curation): Decision => {
  const data = { reason, at }
  switch (type) {
    case 'Pin':
      return E.right(pinned ? [] : [{ type: 'Pinned', data }])
    case 'Unpin':
      return E.right(pinned ? [{ type: 'Unpinned', data }] : [])
    case 'Exclude':
      return E.right(excluded ? [] : [{ type: 'Excluded', data }])
    case 'Include':
      return E.right(excluded ? [{ type: 'Included', data }] : [])
  }
}

type Stated = Omit<Details, 'description'> & { readonly description?: string | undefined }

const detailsOf = ({
  title,
  mediaUri,
  mediaType,
  priority,
  curator,
  description,
  foreign,
}: Stated): Details => ({
  title,
  mediaUri,
  mediaType,
  priority,
  curator,
  ...(description !== undefined && { description }),
  ...(foreign && { foreign }),
})

const isSame = (some: Details, others: Details): boolean =>
  (Object.keys({ ...some, ...others }) as (keyof Details)[]).every((name) => some[name] === others[name])

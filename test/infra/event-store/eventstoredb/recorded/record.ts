import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { cameTo, type Recorded, readRecord, type Version } from '../../../../fixtures/eventstoredb-record.ts'

/* The record as the adapter's tests look at it: what fakes answer from. */

export interface Came {
  /** `still open` where the call went on and was left. */
  readonly status: {
    readonly code: string
    readonly details?: string
    readonly trailers?: Readonly<Record<string, string>>
  }
  readonly answer?: unknown
  readonly messages?: readonly unknown[]
}

export interface Step extends Recorded<Came> {
  readonly call: 'append' | 'delete' | 'tombstone' | 'read' | 'subscribe'
  /** `x × 3000` is 3,000 times x. */
  readonly stream?: string
  readonly expected?: number | 'none' | 'any' | 'exists'
  readonly events?: readonly unknown[]
  /** From where everything is read: a number, `start`, `P(e1)` for the position of an event, `after P(e1)` … */
  readonly all?: number | string
  readonly back?: boolean
  readonly count?: number
  readonly filter?: unknown
}

const record = readRecord<Step>()

export const stepsOf = (scenario: string): readonly Step[] => {
  const found = record.find((one) => one.scenario === scenario)
  if (!found) throw new Error(`no scenario ${scenario} is recorded`)
  return found.steps
}

/** What came of the first step of a scenario that is as `wanted`. */
export const cameOf = (version: Version, scenario: string, wanted: Partial<Step>): Came => {
  const found = stepsOf(scenario).find((step) =>
    Object.entries(wanted).every(([key, value]) => step[key as keyof Step] === value),
  )
  if (!found) throw new Error(`${scenario}: no ${JSON.stringify(wanted)} is recorded`)
  return cameTo(version, found)
}

/** The names of the recorded messages, in order: `confirmation`, `event`, `caught_up` … */
export const kindsOf = ({ messages = [] }: Came): readonly string[] =>
  messages.flatMap((message) => Object.keys(message as object))

/** A recorded name as it was sent. */
export const nameOf = (recorded: string): string =>
  recorded.replace(/^(.) × (\d+)$/, (_, character: string, count: string) => character.repeat(Number(count)))

/** A recorded end of a call. */
export const errorOf = ({ status: { code, details = '', trailers = {} } }: Came): ServiceError => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value)
  return Object.assign(new Error(details), { code: status[code as keyof typeof status], details, metadata })
}

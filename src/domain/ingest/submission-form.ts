import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { explain, Text } from '../kernel/codecs.ts'
import { fromText, wholeNumber } from '../kernel/text-codecs.ts'
import { Ark } from './ark.ts'
import { LocalId, ProfileName } from './ids.ts'
import { Description, Mode, PayloadDigest, PayloadUrl, SubmissionType } from './payload.ts'
import { anySpelling } from './spelling.ts'
import { MailAddress, MailAddresses, type Submission, type SubmittedPayload } from './submission.ts'

/*
 * A submission as the fields of a form (reference ingest
 * 2.2): each a text, under the names that depositors know.
 */

/** An invalid field, and the fix. */
export interface FieldObjection {
  readonly field: string
  /** A sentence that begins with the field. */
  readonly message: string
}

const listOf = <A extends string>(codec: t.Type<A, string, unknown>, parting: RegExp) =>
  fromText(
    `list of: ${codec.name}`,
    (u): u is readonly A[] => Array.isArray(u) && u.every(codec.is),
    (text) => {
      const decoded = [...new Set(text.split(parting).map((one) => one.trim()))]
        .filter((one) => one !== '')
        .map((one) => codec.decode(one))
      return decoded.every(E.isRight) ? decoded.map(({ right }) => right) : undefined
    },
    { type: 'string' },
  )

const spelt = anySpelling(SubmissionType)
const isObjectManifest = /^\s*object[\s_-]?manifest\s*$/i

/** Other programs call `manifest` `object-manifest`. */
const FormType = annotate(
  new t.Type<SubmissionType, string, unknown>(
    spelt.name,
    spelt.is,
    (u, context) =>
      spelt.validate(typeof u === 'string' && isObjectManifest.test(u) ? 'manifest' : u, context),
    t.identity,
  ),
  { type: 'string', enum: [...Object.keys(SubmissionType.keys), 'object-manifest'] },
)

const { who, what, when, where, note } = Description.props
const { algorithm, value } = PayloadDigest.props

/** Codec of each field's text. */
const codecs = {
  profile: ProfileName,
  submitter: Text,
  mode: anySpelling(Mode),
  type: FormType,
  url: PayloadUrl,
  filename: Text,
  size: wholeNumber(),
  digestType: algorithm,
  digestValue: value,
  primaryIdentifier: Ark,
  localIdentifier: listOf(LocalId, /;/),
  creator: who,
  title: what,
  date: when,
  where,
  note,
  notification: listOf(MailAddress, /[;,\s]/),
  callback: PayloadUrl,
} as const

export type FormField = keyof typeof codecs

/** Descriptions of the fields in documents. */
const meanings: Readonly<Record<FormField, string>> = {
  profile: 'How it is taken in; `default` is always there.',
  submitter: 'Who submits it.',
  mode: '`add` (unless said) or `update`.',
  type: 'What the payload is; found out where it is absent.',
  url: 'Where the payload lies, where no file is sent.',
  filename: 'The name of the one file at `url`.',
  size: 'Bytes of the one file.',
  digestType: 'Algorithm of `digestValue`.',
  digestValue: 'Digest of the one file, in hex: what came is held against it.',
  primaryIdentifier: 'ARK of the object.',
  localIdentifier: 'What the producer calls the object; several with `;` between.',
  creator: 'Who made it.',
  title: 'What it is called.',
  date: 'When it was made.',
  where: 'Where it is found.',
  note: 'What else is to be said.',
  notification: 'Mail addresses that are told in place of the profile’s, with `;` between.',
  callback: 'URL that is called for each job in place of the profile’s.',
}

export const dublinCoreTerms = [
  ...['contributor', 'coverage', 'creator', 'date', 'description', 'format', 'identifier', 'language'],
  ...['publisher', 'relation', 'rights', 'source', 'subject', 'title', 'type'],
]

const aDescription = t.array(who)

/** The fields as documents show them; files are sent beside them. */
export const SubmissionFields = t.intersection(
  [
    t.type({ profile: described('profile'), submitter: described('submitter') }),
    t.partial(
      Object.fromEntries(
        (Object.keys(codecs) as FormField[])
          .filter((name) => name !== 'profile' && name !== 'submitter')
          .map((name) => [name, described(name)]),
      ) as t.Props,
    ),
    t.partial(Object.fromEntries(dublinCoreTerms.map((term) => [`dc.${term}`, aDescription]))),
  ],
  'submission form',
)

function described(name: FormField): t.Mixed {
  const codec: t.Mixed = codecs[name]
  return annotate(
    new t.Type(codec.name, codec.is, codec.validate, codec.encode),
    { description: meanings[name] },
    codec,
  )
}

/** The fields received so far. */
export type FilledIn = { readonly [Name in FormField]?: t.TypeOf<(typeof codecs)[Name]> } & {
  readonly dublinCore?: Readonly<Record<string, readonly string[]>>
}

const objection = (field: string, sentence: string): E.Either<FieldObjection, never> =>
  E.left({ field, message: `${field}: ${sentence}` })

/** Adds a field to those received. Empty ones count as absent, as browsers send them. */
export const fillIn = (filled: FilledIn, name: string, text: string): E.Either<FieldObjection, FilledIn> => {
  const trimmed = text.trim()
  const term = termOf(name)
  if (trimmed === '' && (term !== undefined || fieldNamed(name) !== undefined)) return E.right(filled)
  if (term !== undefined)
    return pipe(
      decodeField(name, who, trimmed),
      E.map((decoded) => withTerm(filled, term, decoded)),
    )
  const field = fieldNamed(name)
  if (field === undefined)
    return objection(
      name,
      `is no field of a submission; there are ${Object.keys(codecs).join(', ')}, file, and dc.<term> with the terms of Dublin Core`,
    )
  return pipe(
    decodeField<unknown>(name, codecs[field] as t.Mixed, trimmed),
    E.chain((decoded) => withField(filled, name, field, decoded)),
  )
}

const names: ReadonlyMap<string, FormField> = new Map([
  ...(Object.keys(codecs) as FormField[]).map((name) => [name.toLowerCase(), name] as const),
  ['who', 'creator'],
  ['what', 'title'],
  ['when', 'date'],
])

const fieldNamed = (name: string): FormField | undefined => names.get(name.toLowerCase())

/** Matches `dc.subject`, `DC:subject`, `DCsubject`. */
const termOf = (name: string): string | undefined => {
  const term = /^dc[.:]?([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()
  return term !== undefined && dublinCoreTerms.includes(term) ? term : undefined
}

const decodeField = <A>(name: string, codec: t.Type<A, unknown, unknown>, text: string) =>
  pipe(
    codec.validate(text, [{ key: name, type: codec, actual: text }]),
    E.mapLeft((errors): FieldObjection => ({ field: name, message: explain(errors) })),
  )

const withTerm = ({ dublinCore = {}, ...filled }: FilledIn, term: string, decoded: string): FilledIn => ({
  ...filled,
  dublinCore: { ...dublinCore, [term]: [...(dublinCore[term] ?? []), decoded] },
})

const withField = (
  filled: FilledIn,
  name: string,
  field: FormField,
  decoded: unknown,
): E.Either<FieldObjection, FilledIn> => {
  const before = filled[field]
  if (before === undefined) return E.right({ ...filled, [field]: decoded })
  if (Array.isArray(before) && Array.isArray(decoded))
    return E.right({ ...filled, [field]: [...new Set([...before, ...decoded])] })
  return objection(name, 'is given twice; give it once')
}

/** Returns the depositor's digest of the payload. */
export const announcedDigest = ({
  digestType: algorithm,
  digestValue: value,
}: FilledIn): E.Either<FieldObjection, PayloadDigest | undefined> => {
  if (algorithm !== undefined && value !== undefined) return E.right({ algorithm, value })
  if (algorithm !== undefined) return objection('digestValue', 'is missing beside digestType; give both')
  if (value !== undefined) return objection('digestType', 'is missing beside digestValue; give both')
  return E.right(undefined)
}

/** Returns the payload at `url`. */
export const payloadAtUrl = (filled: FilledIn): E.Either<FieldObjection, SubmittedPayload> => {
  const { url, type, filename: name, size } = filled
  if (url === undefined)
    return objection('file', 'is missing; send at least one file, or the url of the payload')
  return pipe(
    announcedDigest(filled),
    E.map((digest) => ({
      url,
      ...given({ type, name, size, digest }),
    })),
  )
}

/** Returns the whole submission: the fields, and the payload as received. */
export const submissionOf = (
  filled: FilledIn,
  payload: SubmittedPayload,
): E.Either<FieldObjection, Submission> => {
  const { profile, submitter, mode = 'add' } = filled
  if (profile === undefined) return objection('profile', 'is missing; `default` is always there')
  if (submitter === undefined) return objection('submitter', 'is missing; say who submits it')
  const { creator, title, date, dublinCore } = filled
  const description = given({
    ...{ who: creator, what: title, when: date, where: filled.where, note: filled.note },
    dublinCore,
  })
  const { primaryIdentifier: primary, localIdentifier: localIds, notification, callback } = filled
  if (!MailAddresses.is(notification ?? []))
    return objection('notification', 'has too many addresses; give 50 at most')
  return E.right({
    ...{ profile, submitter, payload, mode },
    ...given({ primary, localIds, notifyTo: notification, callback }),
    ...(Object.keys(description).length > 0 && { description }),
  } as Submission)
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined)) as Given<Fields>

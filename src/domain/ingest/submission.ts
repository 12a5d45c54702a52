import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger, Text } from '../kernel/codecs.ts'
import { Ark } from './ark.ts'
import { LocalId, ProfileName } from './ids.ts'
import { Description, Mode, PayloadDigest, PayloadUrl, SubmissionType } from './payload.ts'
import { Site } from './site.ts'

const address = /^[^\s@<>,;]+@[^\s@<>,;]+$/

export const MailAddress = annotate(
  t.refinement(t.string, (s) => s.length <= 320 && address.test(s), 'mail address'),
  { maxLength: 320, pattern: address.source },
)

/** A recipient of a mail that the mail server refused. */
export const RefusedRecipient = t.type({ to: MailAddress, reason: Text })
export type RefusedRecipient = t.TypeOf<typeof RefusedRecipient>

const addresses = annotate(
  t.refinement(t.array(MailAddress), (list) => list.length <= 50, 'list of at most 50 mail addresses'),
  { maxItems: 50 },
)

/** One URL, for any payload. Without a type it is detected when the payload is read. */
export const SubmittedPayload = t.intersection(
  [
    t.type({ url: PayloadUrl }),
    t.partial({
      type: SubmissionType,
      /** The depositor's name for it; for a single file also its name in the object. */
      name: Text,
      digest: PayloadDigest,
      /** Bytes. */
      size: NonNegativeInteger,
    }),
  ],
  'submitted payload',
)
export type SubmittedPayload = t.TypeOf<typeof SubmittedPayload>

/** A depositor's request. */
export const Submission = t.intersection(
  [
    t.type({ profile: ProfileName, submitter: Text, payload: SubmittedPayload, mode: Mode }),
    t.partial({
      primary: Ark,
      localIds: t.array(LocalId),
      description: Description,
      /** Notified instead of the profile's addresses. */
      notifyTo: addresses,
      /** Called for each job instead of the profile's. */
      callback: PayloadUrl,
      /**
       * Sent by a party outside this machine: of the machine's files it may name those that came with it, and those
       * that the system allows.
       */
      foreign: t.boolean,
      /** Site of its payload, if only one node has it. */
      site: Site,
    }),
  ],
  'submission',
)
export type Submission = t.TypeOf<typeof Submission>
export const MailAddresses = addresses

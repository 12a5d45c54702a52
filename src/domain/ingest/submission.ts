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

/** One of a mail's recipients that the mail server did not take. */
export const RefusedRecipient = t.type({ to: MailAddress, reason: Text })
export type RefusedRecipient = t.TypeOf<typeof RefusedRecipient>

const addresses = annotate(
  t.refinement(t.array(MailAddress), (list) => list.length <= 50, 'list of at most 50 mail addresses'),
  { maxItems: 50 },
)

/** One URL, whatever is submitted. Without a type it is found out when the payload is read. */
export const SubmittedPayload = t.intersection(
  [
    t.type({ url: PayloadUrl }),
    t.partial({
      type: SubmissionType,
      /** The depositor's name for it; of a single file also its name in the object. */
      name: Text,
      digest: PayloadDigest,
      /** Bytes. */
      size: NonNegativeInteger,
    }),
  ],
  'submitted payload',
)
export type SubmittedPayload = t.TypeOf<typeof SubmittedPayload>

/** What a depositor asks for. */
export const Submission = t.intersection(
  [
    t.type({ profile: ProfileName, submitter: Text, payload: SubmittedPayload, mode: Mode }),
    t.partial({
      primary: Ark,
      localIds: t.array(LocalId),
      description: Description,
      /** Told instead of the profile's addresses. */
      notifyTo: addresses,
      /** Called for each job instead of the profile's. */
      callback: PayloadUrl,
      /**
       * Whoever sent it is a stranger to this machine: of its files it may name those that came with it, and what the
       * house allows.
       */
      foreign: t.boolean,
      /** Where its payload lies, if one node alone has it. */
      site: Site,
    }),
  ],
  'submission',
)
export type Submission = t.TypeOf<typeof Submission>
export const MailAddresses = addresses

import type { BatchRejection } from '../../../src/domain/fixity/batch/decide.ts'
import type { FixityRejection } from '../../../src/domain/fixity/rejections.ts'
import type { StoreRejection } from '../../../src/domain/fixity/store/rejections.ts'
import type { AccessRejection } from '../../../src/domain/indexing/access/decide.ts'
import type { IndexingRejection } from '../../../src/domain/indexing/rejections.ts'
import type { IngestRejection } from '../../../src/domain/ingest/rejection.ts'
import type { archiveSettings } from '../../../src/domain/kernel/archive-settings.ts'
import type { DeadLetterRejection } from '../../../src/domain/kernel/dead-letter.ts'
import type { Decider } from '../../../src/domain/kernel/decider.ts'
import type { InvalidReason } from '../../../src/domain/kernel/invalid-message.ts'
import type { leaderLeases } from '../../../src/domain/kernel/leader-lease.ts'
import type { PresenceRejection } from '../../../src/domain/kernel/presence.ts'
import type { workDecider } from '../../../src/domain/matching/decide.ts'
import type { generationsDecider } from '../../../src/domain/matching/generations/decide.ts'
import type { mergedDecider } from '../../../src/domain/matching/merged/decide.ts'
import type { blockedTakeDecider } from '../../../src/domain/research/blocked-take.ts'
import type { EpisodeRejection } from '../../../src/domain/research/episode/rejections.ts'
import type { policyDecider } from '../../../src/domain/research/policy/decide.ts'
import type { researcherDecider } from '../../../src/domain/research/researcher/decide.ts'

/* Meanings of codes. The types demand an entry for each code that the domain knows, and allow no other. */

/** Meaning of a code, and advice. */
export type Words = readonly [means: string, todo: string]
type Table<Codes extends string> = Readonly<Record<Codes, Words>>

// biome-ignore lint/suspicious/noExplicitAny: only the rejection of a decider is of interest.
type CodeOf<D> = D extends Decider<any, any, any, infer R, any> ? R['code'] : never

const fixity: Table<FixityRejection['code'] | StoreRejection['code'] | BatchRejection['code']> = {
  'unknown-item': ['Nothing is known of the item.', 'Record it first, or check the spelling.'],
  'not-due': ['The item is not due.', 'Request a check to have one earlier.'],
  held: [
    'Another worker holds the check, or a batch of this id was claimed before.',
    'Try after the deadline, or take another id.',
  ],
  'not-held': ['Nobody holds the check.', 'Nothing: there is no claim to end.'],
  parked: ['The check is parked after its failed attempts.', 'Revive it: `fixity.revive`.'],
  'not-parked': [
    'The item is not parked, or nothing is parked in the store.',
    'Request a check to have one now.',
  ],
  fenced: [
    'The claim has ended, or another one holds the item. The report comes too late.',
    'Drop the result and claim again.',
  ],
  stale: ['The observation is older than the one that was decided from.', 'Drop it.'],
  'unknown-resolution': [
    'The finding is not open for this item.',
    'Take one of those that the message lists.',
  ],
  'several-findings': [
    'More than one finding about the path is open.',
    'Name one by `store` and `resolution`: the message lists them.',
  ],
  'nothing-to-accept': [
    'The content was not read when it was last looked at.',
    'Have it checked first: `fixity.check`.',
  ],
  'was-seen': [
    'A check has seen the item, so that its name was not misread.',
    'Settle its finding: `fixity.resolve`.',
  ],
  'unknown-store': ['No store of this name is registered.', 'Register it first: `fixity.register-store`.'],
  'registered-otherwise': [
    'The store is registered with another root, kind or policy.',
    'Register another name, or change the policy: `fixity.change-policy`.',
  ],
  'root-missing': [
    'A store that Fonds reads needs the absolute path of a folder, or the address of a bucket, as its root.',
    'Give `root`.',
  ],
  'root-needless': ['An external store has no root.', 'Leave `root` out.'],
  'external-store': ['An external store cannot be declared gone.', 'Have its reader report each item.'],
  'moved-meanwhile': [
    'The store has moved since its content was compared at both roots.',
    'Look where it is now, and run `fonds fixity move-store` again.',
  ],
  'no-bucket': ['The store is no bucket: nothing of it is archived.', 'Nothing: its files can be read.'],
  'not-away': ['A machine finds content of the store.', 'Nothing: it is not gone.'],
  'unknown-batch': ['Nobody claimed a batch of this id.', 'Check the spelling.'],
  'not-in-batch': [
    'The report names an item that was not claimed at this revision.',
    'Report what was claimed.',
  ],
}

const indexing: Table<IndexingRejection['code'] | AccessRejection['code']> = {
  'unknown-file': ['Nothing is known of the archive file.', 'Check the spelling, or have it sighted first.'],
  'kind-unknown': ['The name does not say what kind of file it is.', 'Give the kind: `indexing.reset`.'],
  'place-unknown': ['Nobody has said where the file lies.', 'Have it sighted first.'],
  withdrawn: ['The file was withdrawn.', 'Nothing: it is not in the queue.'],
  'not-due': ['There is nothing to do with the file now.', 'Nothing.'],
  held: ['Another worker holds the file.', 'Try after the deadline.'],
  fenced: ['The claim has ended, or another one holds the file.', 'Drop the result and claim again.'],
  'wrong-job': ['The claim is for another job, which does not end so.', 'Report an outcome of that job.'],
  'not-parked': ['The file is not parked.', '`indexing.reset` has it indexed again.'],
  'not-failed': ['Only a file that failed, or is parked, is salvaged.', 'Nothing.'],
  'day-over': ['The last day of the embargo is over.', 'Give a later one, or `indexing.lift-embargo`.'],
  'no-embargo': ['The file is under no embargo.', 'Nothing: its captures are as rules of access say.'],
  'no-host': ['The address of a rule names no host.', 'Give one, or set `match` to exact or prefix.'],
  'no-such-rule': ['There is no such rule of access.', '`fonds indexing access` lists them.'],
  'refuses-nothing': ['A rule that allows has a public message.', 'Leave the message out, or deny.'],
}

const ingest: Table<IngestRejection['code']> = {
  held: ['Another job or worker holds it.', 'Try again once that one has ended.'],
  fenced: ['The claim has ended, or another one holds it.', 'Drop the result.'],
  'not-yet': ['The work was put off.', 'Claim it at the time that the message names.'],
  unknown: ['There is no such batch, job, profile or object.', 'Check the number or the id.'],
  exists: ['Another submission or job has this id.', 'Give each submission a new UUID.'],
  'not-allowed': [
    'The table of moves has no such move.',
    'Read the two states in the message; `fonds ingest why` explains a job.',
  ],
  permanent: ['The job failed for good.', 'Submit it again.'],
  unconfirmed: [
    'Somebody would not be notified.',
    'Repeat it with `--confirm`, over HTTP with `"confirmed": true`.',
  ],
  paused: ['All ingest is paused.', '`ingest.unpause` ends the pause.'],
  'on-hold': ['The collection is on hold.', 'Release the collection first.'],
  'not-held': ['It is not on hold.', 'Nothing: there is nothing to release.'],
  'jobs-open': ['Jobs of the batch are open.', 'The report waits for them.'],
  'mail-due': ['The report of the batch is not sent yet.', 'Sweep the batch after that.'],
  'nothing-to-do': ['There is no work in this state.', 'Nothing.'],
  incomplete: ['Entries are missing, or a needed field is.', 'Send what the message names.'],
  'too-large': ['The list is too large for one message.', 'Send it in parts.'],
  taken: ['The identifier, or the place of the storage root, has another owner.', 'Take another one.'],
  'other-ark': ['The local id or the job has another identifier.', 'Leave one of the two out.'],
  'version-conflict': ['The version is stored already.', 'Drop the result.'],
}

const matching: Table<
  CodeOf<typeof workDecider> | CodeOf<typeof mergedDecider> | CodeOf<typeof generationsDecider> | 'not-built'
> = {
  'older-version': [
    'A higher version of the work is known.',
    'Send it with a higher version if it is the newer one.',
  ],
  'other-source': ['Another source speaks for the work.', '`matching.hand-over` changes that.'],
  'same-source': ['The source speaks for the work already.', 'Name another source.'],
  'unknown-work': ['Nothing is known of the work.', 'Send it first, or check the spelling.'],
  'not-stated': ['The work states no such link.', 'Drop the link at the work that states it.'],
  'not-dropped': ['No person left out such a link.', 'Nothing.'],
  'unheard-source': ['The source has not described the work yet.', 'Have it send the work without the link.'],
  'older-graph': [
    'A newer version of the component was written.',
    'Nothing: a late graph never replaces a newer one.',
  ],
  'too-many': ['As many generations are kept as may be.', 'Drop one that is not needed.'],
  'unknown-generation': ['There is no such generation.', 'Take one that the message lists.'],
  dropped: ['The generation was dropped.', 'Take another one, or start one.'],
  live: ['Readers get this generation already.', 'Switch to another one before you drop it.'],
  'not-built': ['Documents of the generation are still being made.', 'Wait, or switch with `--anyway`.'],
}

const research: Table<
  | EpisodeRejection['code']
  | CodeOf<typeof policyDecider>
  | CodeOf<typeof researcherDecider>
  | CodeOf<typeof blockedTakeDecider>
  | 'unknown'
> = {
  'older-sighting': [
    'A later sighting is known.',
    'Send it with a later `curatedAt` if it is the newer word.',
  ],
  'never-curated': ['No curator has seen the episode or clip.', 'Check the id, or send it first.'],
  withdrawn: ['The episode was withdrawn.', 'It is handed out once a curator sees it again.'],
  excluded: ['The episode is excluded.', 'Include it: `research.include`.'],
  'no-clips': ['The lease names no clip.', 'Choose at least one.'],
  'pair-taken': ['A clip is leased or researched in this episode already.', 'Choose other clips.'],
  'unknown-lease': ['No such lease was granted on this episode.', 'Check the lease and the episode.'],
  'lease-ended': ['The lease has ended.', 'Report what is done, and take another item.'],
  'stale-item': ['The item was not taken in time, or its lease ended.', 'Drop it, and take another one.'],
  'taken-by-another': ['Another researcher has taken the item.', 'Take another one.'],
  'not-the-holder': [
    'Another researcher holds the lease.',
    'Stop: only its holder extends it or gives it back.',
  ],
  'unfit-policy': ['The settings do not work together.', 'Change what the message names.'],
  'unknown-researcher': [
    'No researcher of this name was heard of.',
    'Check the spelling, or register it first.',
  ],
  blocked: ['The researcher is blocked.', 'Stop it, or give it work again: `research.unblock`.'],
  unknown: ['Nothing is known of what the command names.', 'Check the spelling.'],
}

const system: Table<
  | DeadLetterRejection['code']
  | PresenceRejection['code']
  | CodeOf<typeof archiveSettings>
  | CodeOf<typeof leaderLeases>
  | 'foreign-location'
  | 'stream-deleted'
  | 'unknown-setting'
  | 'wrong-value'
  | 'embedded'
  | 'in-use'
> = {
  unknown: ['There is no such dead letter.', '`fonds dead-letters list` shows them.'],
  settled: ['The dead letter was retried or discarded already.', 'Nothing: a new failure gets a new one.'],
  'not-kept': [
    'The message could not be kept.',
    'Send it again, in parts if it is too large; then discard it.',
  ],
  differs: [
    'The process is set otherwise than those at work.',
    'Set the same everywhere: [settings of the log](../guides/settings.md#settings-of-the-log).',
  ],
  'not-set': ['The setting is not set in the log.', 'Nothing.'],
  held: ['Another process holds the lease.', 'Wait for its deadline.'],
  fenced: ['The lease has ended, or another process holds it.', 'Nothing: the process stops that work.'],
  'nobody-has-it': ['Nobody holds the lease.', 'Nothing: there is nothing to end.'],
  'unknown-duty': ['Nobody ever held a lease of this name.', 'Check the spelling.'],
  'foreign-location': [
    'A message over HTTP names a file or a host that no setting allows.',
    'Name an allowed one, or set the folder or the host: [settings](settings.md).',
  ],
  'stream-deleted': ['The stream was deleted for good.', 'Nothing: it takes nothing more.'],
  'unknown-setting': ['There is no such setting.', 'Take one that the message lists.'],
  'wrong-value': ['The setting does not take the value.', 'Give one that the message describes.'],
  embedded: ['Embedded topics have no binding to a log.', 'Nothing: this command is for Kafka.'],
  'in-use': ['The consumer group is at work.', 'Stop all processes that use it, then repeat the command.'],
}

export const rejections: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  fixity,
  indexing,
  ingest,
  matching,
  research,
  system,
}

export const deadLetterReasons: Table<InvalidReason> = {
  'too-large': ['The message, or an event that it leads to, is too large.', 'Send it in parts.'],
  'not-utf8': ['Its text is not UTF-8.', 'Mend the producer.'],
  'not-json': ['Its value is not JSON.', 'Mend the producer.'],
  'not-a-cloud-event': ['An attribute of CloudEvents is missing or invalid.', 'Mend the producer.'],
  'unknown-type': ['The topic takes no message of this type.', 'Check the type: [topics](topics.md).'],
  'wrong-shape': ['A field is missing or not what it must be.', 'Mend the field that `path` names.'],
  'wrong-key': [
    'The key is not the id that orders messages.',
    'Send it with the key that the sentence names.',
  ],
  'not-in-the-log': [
    'It names an event that the log does not hold.',
    'Discard it: the log was put back from an older copy.',
  ],
  'stream-deleted': ['Its stream was deleted for good.', 'Discard it.'],
  refused: [
    'The log does not take the event that it leads to.',
    'Read the sentence; mend it, or discard it.',
  ],
  defect: ['Handling it failed because of a bug.', 'Report it, then retry it.'],
  'kills-process': [
    'Process after process died while it handled this message.',
    'Retry it once the cause is mended, or discard it.',
  ],
}

import type { Checkpoint } from '@fonds/tlog'

export interface AboutExport {
  readonly head: Checkpoint
  readonly events: number
  /** Sealed events whose bytes the log does not hold any more. */
  readonly deleted: number
  /** Those of them that a policy removed; absent: it was not looked at. */
  readonly removed?: number
  /** A sentence about which events there are. */
  readonly scope: string
  /** ISO 8601. */
  readonly at: string
}

/** For somebody who finds the folder in thirty years, and has nothing else. */
export const exportReadme = ({
  head,
  events,
  deleted,
  removed = 0,
  scope,
  at,
}: AboutExport): string => `# A history that can be checked

This folder was exported on ${at} from the history of an archive, which calls it

    ${head.origin}

It holds ${events} events. ${scope}${deleted > 0 ? `\nOf ${deleted} of them the bytes were deleted; that they happened, and when, can still be proven.${removed > 0 ? `\nOf ${removed} that was done by policies, with the reasons that events of the type \`EventsRemoved\` give, in streams \`retention-…\`.` : ''}` : ''}

## To check it

    python3 verify.py .

needs Python 3 and nothing else. It believes the public keys in \`policy\` alone. Whoever made this folder could have put other
keys there: compare them with those that the archive published, or give a policy of your own by \`--policy\`.

What holds then: the archive, and the witnesses whom the policy names, signed that its history had ${head.size} entries, and one
root. Each event here is one of these entries, at the place that is given; not a byte of it was changed, nothing was put between
them, and nothing was left out that the program does not name. What does not follow: that what an event says was true; that the
archive wrote down all that happened; a time earlier than a witness's or a time stamp's.

## What is in it

| file | |
|---|---|
| \`events.ndjson\` | a line of JSON an event, in the order of the history: \`index\`, its place from 0 on; \`entry\`, what the tree holds of it; \`data\` and \`metadata\`, the bytes that the archive stored, as text, or as base64 where they are none |
| \`checkpoint\` | origin, number of entries and root of the tree, with signatures |
| \`policy\` | public keys that are believed, and how many witnesses are enough |
| \`tile/\` | the tree: \`tile/entries\` has its entries, the others its hashes. Where each event has a \`proof\` of its own, only the entries behind the last events, or behind those that a statement counts, are there, which show that there are no more |
| \`export.json\` | which events there are, for the program; as \`stated\` the event in which the archive stated the newest entry of each stream, if the export rests on one |
| \`verify.py\` | the program that checks all this. Anybody can write another: |
| \`verify_statement.py\` | a second one, which checks statements of the archive: on streams for the first, and rows of views and reports that it gave out: \`python3 verify_statement.py FILE --policy policy\` |

An **entry** is text, UTF-8, a field a line: the form \`fonds.event/v1\`; the stream, that is the thing that the event is about; its
number in that stream, from 0 on; its id; its type; when it was recorded; the SHA-256 of \`data\` and of \`metadata\` in base64; the
place of the event before it in the stream, or \`none\`. Names and ids are JSON texts.

A **row** of such a statement is text, too: the form \`fonds.stream/v1\`; the stream, as entries have it; the place of its newest event
among the first \`size\` entries. The statement's \`root\` is that of a tree whose entries are the rows.

A **leaf** of the tree is SHA-256 of a zero byte and the entry; each node above is SHA-256 of a byte 1 and its two children (RFC
6962, section 2.1). Signatures are Ed25519 (RFC 8032) and ML-DSA-44 (FIPS 204), in the forms of c2sp.org: signed-note,
tlog-checkpoint, tlog-cosignature, tlog-tiles, tlog-policy.
`

/* What the fields of commands are, in words, and where what exists is found. A description of the command's own goes before these. */

export type Offer = 'stores' | 'collections' | 'profiles' | 'repositories' | 'batches' | 'episodes' | 'clips'

interface FieldWords {
  readonly says: string
  /** What exists already, to choose from. */
  readonly offers?: Offer
}

export const fieldWords: Readonly<Record<string, FieldWords>> = {
  store: { says: 'The name of the store, as it is known here.', offers: 'stores' },
  path: { says: 'The path of the item within its store, such as letters/1912/07.tif.' },
  prefix: { says: 'All that lies below this folder; left out: all of the store.' },
  root: {
    says: 'The folder, as /srv/archive, or the place in a bucket, as s3://bucket/prefix. It is only read.',
  },
  kind: { says: 'Who looks at it: Fonds itself (folder), or others who report what they see (external).' },
  intervalDays: { says: 'Each item is checked once in so many days.' },
  lagSeconds: { says: 'So long after a change it is still taken to be on its way.' },
  compareHours: {
    says: 'The store is compared with its record once in so many hours; left out: once a day.',
  },
  misread: { says: 'How its name was read wrongly.' },
  file: { says: 'The name of the file, read rightly.' },
  replica: { says: 'Whether it is a second copy, from which others are mended.' },
  awaySeconds: { says: 'So long it may be away before its checks are called late.' },
  resolution: { says: 'The finding, as lists of findings name it.' },
  how: { says: 'How it ends.' },
  repository: { says: 'The repository that the archive file lies in.', offers: 'repositories' },
  name: { says: 'The name of the archive file, such as museum-2026.warc.gz.' },
  batch: { says: 'The number of the batch, or its id.', offers: 'batches' },
  job: { says: 'The number of the job.' },
  collection: { says: 'The collection, as profiles name it.', offers: 'collections' },
  confirmed: { says: 'That it is really wanted: it cannot be taken back.' },
  object: { says: 'The identifier of the object, such as ark:/99999/fk4abc.' },
  before: { says: 'Only what is older than this time, with its zone.' },
  work: { says: 'The id of the record.' },
  from: { says: 'The id of the record that the link goes from.' },
  to: { says: 'What it leads to, or becomes.' },
  record: {
    says: 'true: the record alone is meant, whose content changed under one version; not its graph.',
  },
  seen: {
    says: 'What was looked at: the version of the graph, or the number of corrections of the record. Where it is another one by now, nothing is confirmed.',
  },
  generation: { says: 'The number of the index generation.' },
  episode: { says: 'The id of the episode.', offers: 'episodes' },
  clip: { says: 'The id of the clip.', offers: 'clips' },
  curator: { says: 'All that this curator brought.' },
  lease: { says: 'The lease, as lists of what is under way name it.' },
  researcher: { says: 'The name of the researcher.' },
  priority: { says: 'Higher numbers go first; null gives it back to its curator.' },
  verdict: { says: 'What a person heard.' },
  offset: { says: 'Where in the episode the place begins, in seconds.' },
  days: { says: 'So many days it stays restored.' },
  tier: { says: 'How fast, and at what price, the bucket restores it.' },
  rule: { says: 'The name of the rule.' },
  url: { says: 'The URL that the rule is about.' },
  policy: { says: 'Whether what the rule is about is kept back (deny) or shown (allow).' },
  match: {
    says: 'How far it reaches: this URL alone (exact), all that begins with it (prefix), its host, or its domain with all hosts below.',
  },
  capturedFrom: { says: 'Only captures from this time on.' },
  capturedTo: { says: 'Only captures up to this time.' },
  youngerThanDays: { says: 'An embargo: only captures that are not yet so many days old.' },
  accessedFrom: { says: 'The rule holds for who asks from this time on.' },
  accessedTo: { says: 'The rule holds for who asks up to this time.' },
  publicMessage: { says: 'What readers are shown instead.' },
  rules: { says: 'The rules of the new generation, as JSON; what they leave out is the default.' },
  anyway: { says: 'true: also while a part of it is missing; readers miss those works until it is there.' },
  engine: { says: 'The engine whose work is done again.' },
  version: { says: 'The version of that engine.' },
  all: { says: 'true: all pairs of an episode and a clip.' },
  leaseSeconds: { says: 'So long a lease lives, and so far each result moves its end.' },
  itemSeconds: { says: 'So long an item may wait to be taken.' },
  gapSeconds: { says: 'So long a researcher needs to fetch an episode and finish one clip.' },
  maxClips: { says: 'Most clips in an item.' },
  presenceSeconds: { says: 'Silent for so long, a researcher counts as gone.' },
  attempts: { says: 'Failures until something is parked.' },
  backoffSeconds: { says: 'The pause after the first failure, in seconds.' },
  batchClips: { says: 'New clips wait until so many have come.' },
  batchSeconds: { says: 'Most that new clips wait, in seconds.' },
  agingSeconds: { says: 'So much waiting weighs as much as one step of priority; null: none does.' },
  longestLeaseSeconds: { says: 'No lease lives longer, however it is extended; null: without bound.' },
  setting: { says: 'The setting, as the page of settings lists it.' },
  value: { says: 'Its value from now on.' },
}

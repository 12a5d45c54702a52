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
  setting: { says: 'The setting, as the page of settings lists it.' },
  value: { says: 'Its value from now on.' },
}

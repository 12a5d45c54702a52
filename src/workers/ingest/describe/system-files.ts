import type { Profile } from '../../../domain/ingest/profile/profile.ts'
import type { JobInProgress } from '../steps/step.ts'
import { dublinCore } from './dublin-core.ts'
import { type Described, erc } from './erc.ts'

/** A file written into the object beside the submitted ones. */
export interface SystemFile {
  readonly name: string
  readonly text: string
}

/** Describes the job that made the version. */
export const ingestFile = ({ facts }: JobInProgress): SystemFile => ({
  name: 'mrt-ingest.txt',
  text: keyValues({
    batch: facts.batch,
    job: String(facts.job),
    profile: facts.profile,
    collection: facts.collection,
    submitter: facts.submitter,
    payload: withoutPassword(facts.payload.url),
    type: facts.payload.type,
    mode: facts.mode,
  }),
})

/** The content is deterministic: a repeated step writes the same files. */
export const systemFiles = (
  job: JobInProgress,
  profile: Profile,
  described: Described,
): readonly SystemFile[] => [
  ingestFile(job),
  { name: 'mrt-owner.txt', text: `${job.facts.owner}\n` },
  { name: 'mrt-membership.txt', text: (profile.memberOf ?? []).map((ark) => `${ark}\n`).join('') },
  {
    name: 'mrt-mom.txt',
    text: keyValues({
      primaryIdentifier: described.ark,
      localIdentifier: described.localIds.join('; '),
      type: profile.objectType,
      role: profile.objectRole,
    }),
  },
  { name: 'mrt-erc.txt', text: erc(described) },
  { name: 'mrt-dc.xml', text: dublinCore(described) },
]

const keyValues = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => `${key}: ${value!.replace(/\s+/g, ' ')}\n`)
    .join('')

/** Stored objects have many readers. */
const withoutPassword = (url: string): string => {
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}

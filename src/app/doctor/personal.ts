import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { count, plural } from '../../domain/kernel/amounts.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { lastBackup } from '../backup/notes.ts'
import { isPart } from '../premis/agents.ts'
import type { System } from '../system.ts'

const check = 'personal values'

type Checked = Pick<System, 'config' | 'personal' | 'eventStore'>

/**
 * Lines about values that are in the log by reference; none where the archive never kept any so. `isWhole`: counts the events that name
 * actors plainly. Throws `UnavailableError`.
 */
export const personalValues = async (system: Checked, isWhole: boolean): Promise<readonly Finding[]> => {
  const { config, personal } = system
  const found = await personal.counts()()
  if (isLeft(found))
    return [
      fail(
        check,
        `cannot be read: ${found.left.reason}`,
        'put back the folders of FONDS_PERSONAL_FOLDER and FONDS_PERSONAL_KEY_FOLDER; commands of people wait until then',
      ),
    ]
  const { kept, erased, lastErased } = found.right
  if (config.personalValues === 'off' && kept + erased === 0) return []
  const sentence =
    kept + erased === 0
      ? 'none is kept by reference yet'
      : `${plural(kept, 'value')} kept by reference, ${count(erased)} erased; the key is in ${config.personalKeyFolder}, and in no backup`
  return [
    config.personalValues === 'on'
      ? ok(check, sentence)
      : warn(
          check,
          `${sentence}. Actors and reasons are written plainly now`,
          '`fonds do settings.set setting=personalValues value=on`',
        ),
    ...(await olderBackup(config, lastErased)),
    ...onKafka(config),
    ...(isWhole ? await plainEvents(system) : []),
  ]
}

/** A backup that has what was erased later: whoever has it and the key can read that. */
const olderBackup = async (
  { home }: System['config'],
  lastErased: string | undefined,
): Promise<readonly Finding[]> => {
  const last = lastErased === undefined ? undefined : await lastBackup(home)
  return last === undefined || lastErased === undefined || last.at > lastErased
    ? []
    : [
        warn(
          check,
          `the newest backup known (${last.at}, ${last.folder}) has values that were erased on ${lastErased.slice(0, 10)}, and who has the key can read them there`,
          'make another with `fonds backup`, and delete those from before',
        ),
      ]
}

/** Other systems put values there, and nobody can take them out. */
const onKafka = ({ broker, personalValues }: System['config']): readonly Finding[] =>
  personalValues === 'on' && broker !== 'embedded'
    ? [
        ok(
          check,
          'messages that other systems put on Kafka have values, erased or not, until the retention of their topics ends',
        ),
      ]
    : []

const pageSize = 1000

const plainEvents = async ({ eventStore }: Pick<System, 'eventStore'>): Promise<readonly Finding[]> => {
  let plain = 0
  for (let after = -1n; ; ) {
    const read = await orThrow(eventStore.readAll(after, {}, pageSize))
    plain += read.events.filter(({ metadata: { actor } }) => !isPersonal(actor) && !isPart(actor)).length
    if (read.caughtUp) break
    after = read.position
  }
  return plain === 0
    ? []
    : [
        ok(
          check,
          `${plural(plain, 'event')} ${plain === 1 ? 'names its' : 'name their'} actor plainly (people, sources of messages, processors): what was stored so stays, and is not erased`,
        ),
      ]
}

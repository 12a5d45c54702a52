import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { count, plural } from '../../domain/kernel/amounts.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { staysOnKafka } from '../../workflows/system/stays-on-kafka.ts'
import { lastBackup } from '../backup/notes.ts'
import { isPart } from '../premis/agents.ts'
import type { System } from '../system.ts'
import { namesPlainly } from './plain-names.ts'

const check = 'personal values'

type Checked = Pick<System, 'config' | 'personal' | 'eventStore' | 'broker' | 'workflows'>

/**
 * Lines about values that are in the log by reference; none where the archive never kept any so. `isWhole`: looks at
 * all events for actors that are named plainly, and for references that lead to nothing here. Throws `UnavailableError`.
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
    ...(await onKafka(system)),
    ...(isWhole ? await actorsOf(system) : []),
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
const onKafka = async (system: Checked): Promise<readonly Finding[]> => {
  const stays = system.config.personalValues === 'on' ? await staysOnKafka(system) : undefined
  return stays === undefined
    ? []
    : [ok(check, `${stays}, erased or not; where one is read again its values are kept again`)]
}

const pageSize = 1000

const actorsOf = async ({ eventStore, personal, config }: Checked): Promise<readonly Finding[]> => {
  let [plain, named, lost] = [0, 0, 0]
  for (let after = -1n; ; ) {
    const read = await orThrow(eventStore.readAll(after, {}, pageSize))
    const actors = read.events.map(({ metadata: { actor } }) => actor)
    const known = await orThrow(personal.find([...new Set(actors.filter(isPersonal))]), 'personal values')
    plain += actors.filter((actor) => !isPersonal(actor) && !isPart(actor)).length
    named += read.events.filter(namesPlainly).length
    lost += actors.filter((actor) => isPersonal(actor) && !known.has(actor)).length
    if (read.caughtUp) break
    after = read.position
  }
  return [...lostActors(lost, config), ...plainActors(plain), ...plainNames(named)]
}

/** Values that were erased are known as such: others are missing. */
const lostActors = (lost: number, { personalFolder }: System['config']): readonly Finding[] =>
  lost === 0
    ? []
    : [
        fail(
          check,
          `${plural(lost, 'event')} ${lost === 1 ? 'names its' : 'name their'} actor by a reference that ${personalFolder} does not have: the values are lost, or kept elsewhere`,
          'put back the values.db that was there, or name its folder by FONDS_PERSONAL_FOLDER',
        ),
      ]

const plainActors = (plain: number): readonly Finding[] =>
  plain === 0
    ? []
    : [
        ok(
          check,
          `${plural(plain, 'event')} ${plain === 1 ? 'names its' : 'name their'} actor plainly (people, sources of messages, processors): what was stored so stays, and is not erased`,
        ),
      ]

const plainNames = (named: number): readonly Finding[] =>
  named === 0
    ? []
    : [
        ok(
          check,
          `${plural(named, 'event')} ${named === 1 ? 'names' : 'name'} a researcher, curator, submitter or recipient plainly: what was stored so stays, and is not erased; a researcher whose stream has a plain name keeps it`,
        ),
      ]

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TopicSettings } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import { checkSettings } from '../check-settings.ts'
import type { Cluster } from './cluster.ts'
import { type CreateDependencies, createTopics, creationFailure, retentionValue } from './create-topics.ts'
import { isNotAuthorized } from './errors.ts'
import type { Names } from './names.ts'
import type { Log } from './settings.ts'
import { setTopicConfig, topicConfigs } from './topic-configs.ts'

interface EnsureDependencies extends CreateDependencies {
  readonly cluster: Cluster
  readonly log: Log
}

/** Makes topics that are missing and waits until they can be used; sets the retention of the others. */
export const ensureTopics = (
  deps: EnsureDependencies,
  topics: readonly TopicSettings[],
): TE.TaskEither<BrokerFailure, void> => {
  const { cluster, names } = deps
  const listed = cluster.call({ what: 'list topics', grant: 'DESCRIBE on its topics' }, (admin) =>
    admin.listTopics(),
  )
  return pipe(
    TE.fromIO(() => topics.forEach(checkSettings)),
    TE.chain(() => listed),
    TE.chain((existing) => {
      const isThere = ({ name }: TopicSettings) => existing.includes(names.full(name))
      const missing = topics.filter((topic) => !isThere(topic))
      return pipe(
        missing.length > 0 ? createMissing(deps, missing) : TE.right(undefined),
        TE.chain(() => keepRetention(deps, topics.filter(isThere))),
      )
    }),
  )
}

const createMissing = (
  deps: EnsureDependencies,
  missing: readonly TopicSettings[],
): TE.TaskEither<BrokerFailure, void> => {
  const what = `make topics ${missing.map(({ name }) => deps.names.full(name)).join(', ')}`
  return pipe(
    deps.cluster.call({ what, grant: 'CREATE on them' }, (admin) => createTopics(admin, deps, missing)),
    TE.filterOrElse(
      (errors) => errors.length === 0,
      (errors) => creationFailure(deps, missing, errors),
    ),
    TE.asUnit,
  )
}

/** A topic with another retention still works, so where Kafka forbids us to set it, that is only logged. */
const keepRetention = (
  { cluster, names, log }: { readonly cluster: Cluster; readonly names: Names; readonly log: Log },
  present: readonly TopicSettings[],
): TE.TaskEither<BrokerFailure, void> =>
  cluster.call({ what: 'set retention of topics', grant: 'ALTER_CONFIGS on its topics' }, async (admin) => {
    try {
      const configs = await topicConfigs(
        admin,
        present.map(({ name }) => names.full(name)),
      )
      for (const { name, retentionMillis } of present) {
        const wanted = retentionValue(retentionMillis)
        const full = names.full(name)
        if (configs.get(full)?.get('retention.ms')?.value !== wanted)
          await setTopicConfig(admin, full, 'retention.ms', wanted, configs)
      }
    } catch (error) {
      if (!isNotAuthorized(error)) throw error
      log.warn('Kafka denies setting the retention of topics; grant DESCRIBE_CONFIGS and ALTER_CONFIGS')
    }
  })

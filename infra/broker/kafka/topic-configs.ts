import kafkajs, { type Admin } from 'kafkajs'

/** By topic, then by name. `own`: set for the topic itself, not taken from the broker's defaults. */
export type Configs = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly value: string; readonly own: boolean }>
>

/** Full names of topics in, settings out; all of them where no names are given. */
export const topicConfigs = async (
  admin: Admin,
  topics: readonly string[],
  configNames?: string[],
): Promise<Configs> => {
  if (topics.length === 0) return new Map()
  const { resources } = await admin.describeConfigs({
    resources: topics.map((name) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      ...(configNames && { configNames }),
    })),
    includeSynonyms: false,
  })
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(
        configEntries.map(({ configName, configValue, configSource }) => [
          configName,
          { value: configValue, own: configSource === kafkajs.ConfigSource.TOPIC_CONFIG },
        ]),
      ),
    ]),
  )
}

/** Sets one setting. Kafka's call replaces all of a topic's own settings, so the others go along as they are. */
export const setTopicConfig = async (
  admin: Admin,
  topic: string,
  name: string,
  value: string,
  before: Configs,
): Promise<void> => {
  const own = [...(before.get(topic) ?? [])].filter(([other, config]) => config.own && other !== name)
  const configEntries = [
    ...own.map(([other, config]) => ({ name: other, value: config.value })),
    { name, value },
  ]
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }],
  })
}

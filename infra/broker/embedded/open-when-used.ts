import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Broker } from '../../../src/ports/broker.ts'
import type { openEmbeddedBroker } from './broker.ts'

/**
 * The embedded broker, whose modules are loaded and whose tables are made with the first call: most commands neither produce nor
 * consume. `id` is there from the first call on.
 */
export const openWhenUsed = (...of: Parameters<typeof openEmbeddedBroker>): Broker => {
  let opening: Promise<Broker> | undefined
  let opened: Broker | undefined
  const open = async (): Promise<Broker> => {
    const { openEmbeddedBroker } = await import('./broker.ts')
    opened = openEmbeddedBroker(...of)
    return opened
  }
  const broker = (): Promise<Broker> => {
    opening ??= open()
    return opening
  }
  const task =
    <E, A>(of: (broker: Broker) => TaskEither<E, A>): TaskEither<E, A> =>
    async () =>
      of(await broker())()
  return {
    get id() {
      if (opened === undefined) throw new Error('the id of this broker is known from its first call on')
      return opened.id
    },
    ensureTopics: (settings) => task((broker) => broker.ensureTopics(settings)),
    produce: (records) => task((broker) => broker.produce(records)),
    consume: async (options, handler) => (await broker()).consume(options, handler),
    topics: () => task((broker) => broker.topics()),
    groups: () => task((broker) => broker.groups()),
    peek: (...place) => task((broker) => broker.peek(...place)),
    overwrite: (change) => task((broker) => broker.overwrite!(change)),
    close: async () => {
      await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

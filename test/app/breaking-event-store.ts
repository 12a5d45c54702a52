import openOwnEventStore from '../../src/open-event-store.ts'

/** The log, for a thread that breaks a moment after it has opened it. */
const openForAMoment: typeof openOwnEventStore = async (config, log) => {
  setTimeout(() => {
    throw new Error('the thread breaks')
  }, 100)
  return openOwnEventStore(config, log)
}

export default openForAMoment

import { download } from './download.ts'
import { estimate } from './estimate.ts'
import { initialise } from './initialise.ts'
import { notify } from './notify.ts'
import { process } from './process.ts'
import { record } from './record.ts'
import type { Steps } from './step.ts'
import { store } from './store.ts'

/** The step for each state of a job. Room is given before a job gets here. */
export const steps: Steps = {
  pending: initialise,
  estimating: estimate,
  provisioning: async (_, { services }) => ({ site: await services.workSite() }),
  downloading: download,
  processing: process,
  storing: store,
  recording: record,
  notify,
}

import type { Duty } from './workflow.ts'

/** A duty whose code is loaded when it begins: no question and no other command waits for it. */
export const loadedDuty =
  (load: () => Promise<Duty>): Duty =>
  (term) => {
    const running = load().then((duty) => duty(term))
    return { stop: async () => (await running).stop() }
  }

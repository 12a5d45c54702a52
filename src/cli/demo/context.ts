import type { System } from '../../app/system.ts'
import type { Output } from '../output/output.ts'
import type { Progress } from '../output/progress.ts'

/** The environment of a part of the demo. */
export interface DemoContext {
  readonly system: System
  readonly output: Output
  readonly progress: (label: string, total?: number) => Progress
  readonly signal: AbortSignal
  /** The command line with which the person starts the program, with the demo's home. */
  readonly call: string
  say(text?: string): Promise<void>
  /** Numbered: the parts of the demo continue the count. */
  title(text: string): Promise<void>
}

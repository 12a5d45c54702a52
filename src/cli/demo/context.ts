import type { System } from '../../app/system.ts'
import type { Output } from '../output/output.ts'
import type { Progress } from '../output/progress.ts'

/** What a part of the demo works with. */
export interface DemoContext {
  readonly system: System
  readonly output: Output
  readonly progress: (label: string, total?: number) => Progress
  readonly signal: AbortSignal
  /** How the person calls the program, with the demo's home. */
  readonly call: string
  say(text?: string): Promise<void>
  /** Numbered: the parts of the demo go on counting. */
  title(text: string): Promise<void>
}
